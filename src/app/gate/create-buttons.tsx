import { WorkButton } from "./form.tsx";
import type { AuthState } from "../data/answers.ts";
import { Note } from "./gate.tsx";
import type { Work } from "./use-work.ts";
import { canUsePasskeys, WaysIn, whyNoPasskeys } from "./way-in.tsx";

/** How a new person will sign in next time. */
export type Means = "passkey" | "mail" | "none";

interface Props {
  /** "Create", "Join acme". */
  verb: string;
  state: AuthState;
  /** Whether the person runs the server, and can change its ways to sign in. */
  isOperator?: boolean;
  work: Work;
  onCreate: (means: Means) => void;
}

/** The ways that this browser and this server support; Enter uses the first one. */
export function meansOf(state: AuthState): Means[] {
  return [...(canUsePasskeys(state) ? ["passkey" as const] : []), state.methods.mail ? "mail" : "none"];
}

const WORDS = {
  passkey: "with a passkey",
  mail: "and get a link by mail",
  none: "without a passkey",
};

export function CreateButtons({ verb, state, isOperator = false, work, onCreate }: Props) {
  const means = meansOf(state);
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
      {means.includes("none") &&
        (means.includes("passkey") ? (
          <Note>
            Without a passkey you stay signed in here, and can add one later. This server sends no mail.
          </Note>
        ) : (
          <NoLaterWay state={state} isOperator={isOperator} />
        ))}
    </>
  );
}

/** The person is signed in now, but cannot sign in from another browser. */
function NoLaterWay({ state, isOperator }: Required<Pick<Props, "state" | "isOperator">>) {
  return (
    <Note kind="warn" title="You stay signed in here, but cannot sign in anywhere else.">
      {whyNoPasskeys(state)} This server sends no mail.{" "}
      {isOperator ? (
        <>
          This applies to everyone until you set up one of these:
          <WaysIn />
        </>
      ) : (
        "Ask whoever runs it for an https address or for links by mail. Then add a way to sign in on your profile page."
      )}
    </Note>
  );
}

/** Below every form that creates a person. */
export function NoPasswords({ isOperator = false }: { isOperator?: boolean }) {
  return (
    <p className="fine">
      There are no passwords. If you lose the passkey,{" "}
      {isOperator ? (
        <>
          <code className="command">npm start -- owner-link</code> on the server prints a new link.
        </>
      ) : (
        "ask whoever runs this server."
      )}
    </p>
  );
}
