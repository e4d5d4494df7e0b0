import { WorkButton } from "./form.tsx";
import type { AuthState } from "../data/answers.ts";
import { hasPasskeys } from "./passkey.ts";
import { Note } from "./gate.tsx";
import type { Work } from "./use-work.ts";

/** How a new person will sign in the next time. */
export type Means = "passkey" | "mail" | "none";

interface Props {
  /** "Create", "Join acme". */
  verb: string;
  methods: AuthState["methods"];
  work: Work;
  onCreate: (means: Means) => void;
}

/** The ways that this browser and this server have; the first one is what Enter does. */
export function meansOf(methods: AuthState["methods"]): Means[] {
  const canPasskey = methods.passkey && hasPasskeys();
  return [...(canPasskey ? ["passkey" as const] : []), methods.mail ? "mail" : "none"];
}

const WORDS = {
  passkey: "with a passkey",
  mail: "and get a link by mail",
  none: "without a passkey",
};

export function CreateButtons({ verb, methods, work, onCreate }: Props) {
  const means = meansOf(methods);
  return (
    <>
      <div className="stack">
        {means.map((each, index) => (
          <WorkButton
            key={each}
            work={work}
            name={each}
            kind={index === 0 ? "action" : "line"}
            {...(each === "passkey" && { icon: "fingerprint" as const })}
            {...(index > 0 && { onPress: () => onCreate(each) })}
          >
            {verb}
            {each === "mail" ? ", " : " "}
            {WORDS[each]}
          </WorkButton>
        ))}
      </div>
      {means.includes("none") && (
        <Note>
          {means.includes("passkey")
            ? "Without a passkey you stay signed in here, and can add one later."
            : "Passkeys need https, or localhost, and a browser that has them. You stay signed in here, and can add one later from such an address."}{" "}
          This server sends no mail.
        </Note>
      )}
    </>
  );
}

/** Said below every form that makes a person. */
export function NoPasswords() {
  return (
    <p className="fine">
      There are no passwords. If you lose the passkey,{" "}
      <code className="command">npm start -- owner-link</code> on the server prints a new link.
    </p>
  );
}
