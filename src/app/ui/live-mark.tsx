import { useLive } from "../data/live.ts";

const WORDS = {
  connecting: "Connecting",
  live: "Live",
  lost: "Reconnecting",
  paused: "Not live",
  ended: "Ended",
} as const;

/** In the top bar: whether the page changes by itself. */
export function LiveMark() {
  const { state } = useLive();
  // By its key each word is another element: none moves another one.
  return (
    <span key={state} className={`live m-dot${state === "live" ? "" : " is-off"}`}>
      {WORDS[state]}
    </span>
  );
}
