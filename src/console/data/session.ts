/**
 * Whether the operator is signed in, as far as answers have told: `unknown` until the first one, `out` after a 401, `barred`
 * after a 403 (no token is set, and this is not the server's own machine). `round` grows with each sign-in, so that
 * everything that failed meanwhile is asked for again.
 */
export interface Session {
  state: "unknown" | "in" | "out" | "barred";
  /** Was signed in before: the page stays, and the form stands over it. */
  wasIn: boolean;
  round: number;
  /** What the server said with its refusal. */
  message: string;
}

let session: Session = { state: "unknown", wasIn: false, round: 0, message: "" };
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

export function noteRefused(status: 401 | 403, message: string) {
  const state = status === 401 ? "out" : "barred";
  if (session.state !== state) change({ state, message });
}

export type SignInOutcome = { isDone: true } | { isDone: false; message: string };

export async function signIn(token: string): Promise<SignInOutcome> {
  try {
    const response = await fetch("/console/sign-in", post({ token }));
    if (response.ok) {
      change({ state: "in", wasIn: true, round: session.round + 1 });
      return { isDone: true };
    }
    return { isDone: false, message: await refusal(response) };
  } catch {
    return { isDone: false, message: "The server does not answer. Check that it runs, then try again." };
  }
}

export async function signOut(): Promise<void> {
  await fetch("/console/sign-out", post({})).catch(() => {});
  // A new page: nothing of what was read stays in memory.
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
