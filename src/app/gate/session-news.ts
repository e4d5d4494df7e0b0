/** Notifies the other tabs of this browser of a sign-in, and is notified by them. */
import type { AuthState } from "../data/answers.ts";
import { readAnswer } from "../data/ask-server.ts";

const CHANNEL = "millrace-session";
const POLL_MS = 3000;

export function tellSignedIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
  channel.postMessage("in");
  channel.close();
}

/**
 * Calls back once, when this browser has a session: another tab reports it, or a request every few seconds while the page
 * is visible finds it, since a mail may be opened without this browser's other pages.
 * @returns ends the wait
 */
export function whenSignedIn(onSignedIn: () => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const channel = new BroadcastChannel(CHANNEL);
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    channel.close();
    document.removeEventListener("visibilitychange", ask);
  };
  const ask = async () => {
    clearTimeout(timer);
    if (document.hidden || isOver) return;
    const state = await readAnswer<AuthState>("/auth/state").catch(() => null);
    if (isOver) return;
    if (state?.user) {
      end();
      onSignedIn();
    } else timer = setTimeout(() => void ask(), POLL_MS);
  };
  channel.addEventListener("message", () => void ask());
  document.addEventListener("visibilitychange", ask);
  timer = setTimeout(() => void ask(), POLL_MS);
  return end;
}
