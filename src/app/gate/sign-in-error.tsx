import { Name, Note } from "./gate.tsx";

/** Why a sign-in at a provider returned without success: `?error=<code>`. */
interface ReturnedError {
  code: string;
  /** An address without an account here. */
  mail: string | null;
}

/** An address may be longer, but a sentence has no room for it. */
const MAX_SHOWN = 254;

/** Reads it once and removes it from the address, so that a reload does not repeat it. */
export function readSignInError(): ReturnedError | null {
  const url = new URL(location.href);
  const code = url.searchParams.get("error");
  if (code === null) return null;
  const mail = url.searchParams.get("mail");
  url.searchParams.delete("error");
  url.searchParams.delete("mail");
  history.replaceState(history.state, "", url.pathname + url.search);
  return { code: code.slice(0, MAX_SHOWN), mail: mail?.slice(0, MAX_SHOWN) ?? null };
}

const WORDS: { [code: string]: [title: string, text: string] } = {
  used: ["This link was already used.", "Ask for a new one."],
  expired: ["That took too long.", "Sign in again."],
  canceled: ["The sign-in was canceled.", "Try again, or choose another way."],
  "unverified-mail": [
    "Your provider has not verified your mail address.",
    "Verify it there, or ask an owner for an invitation.",
  ],
  invitation: [
    "The invitation was not accepted.",
    "It is no longer valid, or was already used. Ask for a new one.",
  ],
  "linked-elsewhere": [
    "That identity belongs to someone else here.",
    "Sign in with it, or choose another account at the provider.",
  ],
  "provider-away": [
    "The provider does not respond.",
    "Try again in a moment, or choose another way. The server's log has the details.",
  ],
  "provider-failed": [
    "The provider's response could not be used.",
    "Try again, or choose another way. The server's log has the details.",
  ],
};

export function SignInError({ error: { code, mail } }: { error: ReturnedError }) {
  if (code === "not-a-member")
    return (
      <Note
        kind="warn"
        title={
          mail ? (
            <>
              <Name>{mail}</Name> is not a member here.
            </>
          ) : (
            "You are not a member here."
          )
        }
        isAlert
      >
        An owner of an organization here can invite you.
      </Note>
    );
  const [title, text] = Object.hasOwn(WORDS, code)
    ? WORDS[code]!
    : ["The sign-in did not finish.", `The reason is “${code}”. Try again, or choose another way.`];
  return (
    <Note kind="bad" title={title} isAlert>
      {text}
    </Note>
  );
}
