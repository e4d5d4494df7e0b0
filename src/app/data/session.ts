/**
 * Whether the operator is signed in, as far as answers have told: `unknown` until the first one, `entering` while a link's
 * code is being exchanged, `out` after a 401. `round` grows with each sign-in, so that everything that failed meanwhile
 * is asked for again.
 */
export interface Session {
  state: "unknown" | "entering" | "in" | "out";
  /** The operator was signed in before: the page stays, and the form covers it. */
  wasIn: boolean;
  round: number;
  /** Why the link that was opened does not sign in; empty without one. */
  linkRefusal: string;
}

let session: Session = { state: "unknown", wasIn: false, round: 0, linkRefusal: "" };
const listeners = new Set<() => void>();

export const readSession = () => session;

export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: Partial<Session>) {
  session = { ...session, ...next };
  for (const listener of listeners) listener();
}

export function noteAnswered() {
  if (session.state !== "in") change({ state: "in", wasIn: true, linkRefusal: "" });
}

export function noteRefused() {
  if (session.state !== "out") change({ state: "out" });
}

export type SignInOutcome = { isDone: true } | { isDone: false; message: string };

export function signIn(token: string): Promise<SignInOutcome> {
  return exchange({ token });
}

/**
 * The link that the server's start prints: `/console#code=…`. The code is taken out of the address, and so out of the
 * browser's history, before anything else.
 */
export async function signInByLink(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  const { state } = session;
  change({ state: "entering", linkRefusal: "" });
  const outcome = await exchange({ code });
  // An operator with a session continues; without one, the first report says so.
  if (!outcome.isDone) change({ state, linkRefusal: outcome.message });
}

async function exchange(secret: { token: string } | { code: string }): Promise<SignInOutcome> {
  try {
    const response = await fetch("/console/sign-in", post(secret));
    if (response.ok) {
      change({ state: "in", wasIn: true, round: session.round + 1, linkRefusal: "" });
      return { isDone: true };
    }
    return { isDone: false, message: await refusal(response) };
  } catch {
    return { isDone: false, message: "The server does not answer. Check that it runs, then try again." };
  }
}

/** @param everywhere ends the sessions of every other browser, too. */
export async function signOut(everywhere = false): Promise<void> {
  await fetch("/console/sign-out", post({ everywhere })).catch(() => {});
  // Loading a new page removes everything that was read from memory.
  location.assign("/console");
}

export const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

async function refusal(response: Response): Promise<string> {
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    const when = seconds > 0 ? `in ${seconds} seconds` : "in a few minutes";
    return `Too many attempts. Try again ${when}.`;
  }
  return (await messageOf(response)) ?? `The server refused with status ${response.status}.`;
}

/** The `message` of a JSON answer, undefined when the answer is something else. */
export async function messageOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}
