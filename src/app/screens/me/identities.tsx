import { useHere } from "../../data/organization.ts";
import { Status } from "../../ui/status.tsx";
import { useOwnSignInMethods } from "./own-sign-in-methods.ts";
import { Section, SectionRow } from "./section.tsx";

/** Accounts at providers that sign the person in; absent when the server has no provider. */
export function Identities() {
  const { methods } = useHere().state;
  const own = useOwnSignInMethods();
  if (methods.oidc === null && !methods.github) return null;
  return (
    <Section title="Linked accounts" lead="Each of them signs you in.">
      {methods.oidc !== null && (
        <Identity name={methods.oidc} path="/auth/oidc" isLinked={own?.includes("oidc")} />
      )}
      {methods.github && <Identity name="GitHub" path="/auth/github" isLinked={own?.includes("github")} />}
    </Section>
  );
}

/** A link, because the browser leaves for the provider and comes back. */
function Identity({ name, path, isLinked }: { name: string; path: string; isLinked: boolean | undefined }) {
  return (
    <SectionRow
      title={<bdi>{name}</bdi>}
      text={isLinked ? "Linked to your account here." : "Not linked to your account here."}
    >
      {isLinked ? (
        <Status state="succeeded" word="Linked" />
      ) : (
        <a className="btn" href={`${path}?link=1&next=%2Fapp%2Fme`}>
          Link {name}
        </a>
      )}
    </SectionRow>
  );
}
