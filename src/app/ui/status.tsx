export type State = "queued" | "running" | "succeeded" | "failed" | "canceled" | "waiting";

const LOOKS: Record<State, { word: string; tone: string }> = {
  queued: { word: "Queued", tone: "wait" },
  running: { word: "Running", tone: "run" },
  succeeded: { word: "Succeeded", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  canceled: { word: "Canceled", tone: "stop" },
  waiting: { word: "Waits for you", tone: "wait" },
};

interface Props {
  state: State;
  /** Another word for the same shape: "On", "Differs". */
  word?: string;
  /** Beside an `h1`. */
  isPill?: boolean;
}

/** A shape and a word. */
export function Status({ state, word, isPill }: Props) {
  const look = LOOKS[state];
  return (
    <span className={`st ${look.tone}${isPill ? " pill" : ""}`}>
      <span className="g" aria-hidden="true" />
      {word ?? look.word}
    </span>
  );
}
