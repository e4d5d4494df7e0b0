import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { asSentence } from "../../data/as-sentence.ts";
import { confirmIdentity, NOT_CONFIRMED } from "../../data/confirming.ts";
import { useHere } from "../../data/organization.ts";
import { twoStepQuery } from "../../data/queries.ts";
import { useAction } from "../../data/use-action.ts";
import { Status } from "../../ui/status.tsx";
import { useOwnSignInMethods } from "./own-sign-in-methods.ts";
import { Section, SectionRow } from "./section.tsx";

/** Accounts at providers that can sign the person in; absent when the server has no provider. */
export function Identities() {
  const { methods } = useHere().state;
  const own = useOwnSignInMethods();
  const [params] = useSearchParams();
  if (methods.oidc === null && !methods.github) return null;
  return (
    <Section title="Linked accounts" lead="Each of them signs you in.">
      {params.get("error") === "confirm" && (
        <p className="panel-body text-xs text-fail" role="alert">
          Nothing was linked: confirm first that it is you.
        </p>
      )}
      {methods.oidc !== null && (
        <Identity name={methods.oidc} path="/auth/oidc" isLinked={own?.includes("oidc")} />
      )}
      {methods.github && <Identity name="GitHub" path="/auth/github" isLinked={own?.includes("github")} />}
    </Section>
  );
}

interface IdentityProps {
  name: string;
  path: string;
  isLinked: boolean | undefined;
}

function Identity({ name, path, isLinked }: IdentityProps) {
  return (
    <SectionRow
      title={<bdi>{name}</bdi>}
      text={isLinked ? "Linked to your account here." : "Not linked to your account here."}
    >
      {isLinked ? <Status state="succeeded" word="Linked" /> : <LinkIdentity name={name} path={path} />}
    </SectionRow>
  );
}

/** The browser leaves for the provider and returns: the identity question comes first. */
function LinkIdentity({ name, path }: Omit<IdentityProps, "isLinked">) {
  const client = useQueryClient();
  const { isBusy, error, run } = useAction();
  const link = () =>
    void run(async () => {
      const { confirmWays, confirmedUntil } = await client.fetchQuery({ ...twoStepQuery, staleTime: 0 });
      const isAsked = confirmWays.length > 0 && !(confirmedUntil !== null && confirmedUntil > Date.now());
      const answer = isAsked ? await confirmIdentity() : "confirmed";
      if (answer !== "confirmed") throw new Error(asSentence(NOT_CONFIRMED[answer]));
      location.assign(`${path}?link=1&next=%2Fapp%2Fme`);
    });
  return (
    <>
      <button className="btn" type="button" aria-busy={isBusy} onClick={link}>
        Link {name}
      </button>
      {error && (
        <p className="text-xs text-fail" role="alert">
          Nothing was linked. {error.message}
        </p>
      )}
    </>
  );
}
