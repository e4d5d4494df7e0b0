import buildkite from "simple-icons/icons/buildkite.svg?raw";
import circleci from "simple-icons/icons/circleci.svg?raw";
import github from "simple-icons/icons/github.svg?raw";
import gitlab from "simple-icons/icons/gitlab.svg?raw";
import { Icon } from "../../../ui/icon.tsx";
import { type ProviderId, providerOf } from "./providers.ts";

const MARKS: { readonly [id in ProviderId]: string } = { buildkite, circleci, github, gitlab };

/** Hidden from assistive technology: the provider's name is next to it. */
export function ProviderMark({ issuer }: { issuer: string }) {
  const provider = providerOf(issuer);
  if (!provider) return <Icon name="keyRound" />;
  return (
    <svg className="tech" viewBox="0 0 24 24" aria-hidden="true">
      <path d={/ d="([^"]+)"/.exec(MARKS[provider.id])?.[1]} />
    </svg>
  );
}
