/**
 * What answers have told of the person: `unknown` until the first one, `out` after a 401, `denied` when they do not
 * operate this server. `round` grows with each sign-in, so that everything that failed meanwhile is asked for again.
 */
export interface Session {
  state: "unknown" | "in" | "out" | "denied";
  /** The operator was signed in before: the page stays, and a question covers it. */
  wasIn: boolean;
  round: number;
}

let session: Session = { state: "unknown", wasIn: false, round: 0 };
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
  if (session.state !== "in") change({ state: "in", wasIn: true });
}

/** @param status of the answer: 401 or 403 */
export function noteRefused(status: number) {
  const state = status === 403 ? "denied" : "out";
  if (session.state !== state) change({ state });
}

/** After a sign-in in another tab. */
export function noteSignedIn() {
  change({ state: "unknown", round: session.round + 1 });
}

/** @param everywhere ends the sessions of every other browser, too. */
export async function signOut(everywhere = false): Promise<void> {
  await (
    everywhere
      ? fetch("/api/millrace.v1.AccountService/EndSignIn", post({ all: true }))
      : fetch("/auth/sign-out", post({}))
  ).catch(() => {});
  // Loading a new page removes everything that was read from memory.
  location.assign("/app/sign-in?next=/console");
}

export const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** The `message` of a JSON answer, undefined when the answer is something else. */
export async function messageOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}
