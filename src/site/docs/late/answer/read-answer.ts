/** Asks the server for an answer, and reads it sentence by sentence. */
import { createParser } from "eventsource-parser";

export interface Place {
  title: string;
  section: string;
  url: string;
}

export interface Source extends Place {
  number: number;
}

export interface Sentence {
  text: string;
  sources: Source[];
}

export interface Answer {
  state: "waiting" | "slow" | "writing" | "done" | "unknown" | "failed" | "stopped";
  sentences: Sentence[];
  /** With "unknown": the nearest pages. */
  pages: Place[];
  /** Sentences that were left out, because their sources do not say them. */
  unsaid: number;
  /** With "failed". */
  message: string;
}

export const isRunning = ({ state }: Answer): boolean =>
  state === "waiting" || state === "slow" || state === "writing";

export const WAITING: Answer = { state: "waiting", sentences: [], pages: [], unsaid: 0, message: "" };

const UNREACHABLE = "The server did not respond. Check the connection and try again.";
const BROKEN_OFF = "The connection ended in the middle of the answer.";

/** The answer after one event of the stream; an unknown event does not change it. */
export function nextAnswer(answer: Answer, event: string | undefined, data: string): Answer {
  // The server is this site's own; an older or a newer one has the same events.
  const body = JSON.parse(data) as Sentence & { pages: Place[]; unsaid: number; message: string };
  if (event === "sentence") return { ...answer, state: "writing", sentences: [...answer.sentences, body] };
  if (event === "unknown") return { ...answer, state: "unknown", pages: body.pages };
  if (event === "error") return { ...answer, state: "failed", message: body.message };
  if (event === "done")
    return { ...answer, state: answer.state === "unknown" ? "unknown" : "done", unsaid: body.unsaid };
  return answer;
}

/** The server says after ten seconds of silence that the model is still writing. */
export const whenSilent = (answer: Answer): Answer =>
  answer.state === "waiting" ? { ...answer, state: "slow" } : answer;

/** @param onAnswer called with each state of it. Never throws, and is silent once `signal` aborts */
export async function readAnswer(
  question: string,
  signal: AbortSignal,
  onAnswer: (answer: Answer) => void,
): Promise<void> {
  let answer = WAITING;
  const show = (next: Answer) => {
    answer = next;
    if (!signal.aborted) onAnswer(answer);
  };
  const fail = (message: string) => show({ ...answer, state: "failed", message });
  try {
    const response = await fetch("/answers", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ question }),
      signal,
    });
    if (!response.ok || !response.body) {
      const isPlain = response.headers.get("content-type")?.startsWith("text/plain");
      return fail(isPlain ? (await response.text()).trim() : UNREACHABLE);
    }
    const parser = createParser({
      onEvent: ({ event, data }) => show(nextAnswer(answer, event, data)),
      onComment: () => show(whenSilent(answer)),
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parser.feed(decoder.decode(value, { stream: true }));
    }
    if (isRunning(answer)) fail(BROKEN_OFF);
  } catch {
    fail(answer.sentences.length > 0 ? BROKEN_OFF : UNREACHABLE);
  }
}
