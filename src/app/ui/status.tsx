import type { ReactNode } from "react";

export type State = "queued" | "running" | "succeeded" | "failed" | "canceled" | "waiting";

const LOOKS: Record<State, { word: string; tone: string }> = {
  queued: { word: "Queued", tone: "wait" },
  running: { word: "Running", tone: "run" },
  succeeded: { word: "Succeeded", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  canceled: { word: "Canceled", tone: "stop" },
  waiting: { word: "Waits for you", tone: "wait" },
};

const RING = <circle cx="7" cy="7" r="6.25" />;
const QUEUED = <circle cx="7" cy="7" r="6.25" strokeDasharray="2.4 2.1" />;
const GLYPHS: Record<State, ReactNode> = {
  queued: QUEUED,
  waiting: QUEUED,
  running: (
    <>
      <circle cx="7" cy="7" r="6.25" opacity=".35" />
      <path d="M7 .75A6.25 6.25 0 1 1 .9 8.4" />
      <circle cx="7" cy="7" r="2.4" fill="currentColor" stroke="none" />
    </>
  ),
  succeeded: (
    <>
      {RING}
      <path d="m4.3 7.2 1.9 1.9 3.6-4" />
    </>
  ),
  failed: (
    <>
      <circle cx="7" cy="7" r="7" fill="currentColor" stroke="none" />
      <path className="status-cross" d="m4.7 4.7 4.6 4.6m0-4.6L4.7 9.3" />
    </>
  ),
  canceled: (
    <>
      {RING}
      <path d="m2.8 11.2 8.4-8.4" />
    </>
  ),
};

interface Props {
  state: State;
  /** Another word for the same shape: "On", "Differs". */
  word?: string;
  /** Used next to an `h1`. */
  isPill?: boolean;
  /** Used next to words that say the same: its own word is for screen readers only. */
  isShape?: boolean;
}

/** A shape and a word. */
export function Status({ state, word, isPill, isShape }: Props) {
  const look = LOOKS[state];
  const said = word ?? look.word;
  return (
    <span className={`status ${look.tone}${isPill ? " pill" : ""}`}>
      <svg
        className="glyph"
        viewBox="0 0 14 14"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        {GLYPHS[state]}
      </svg>
      {isShape ? <span className="vh">{said}</span> : said}
    </span>
  );
}
