import { useLive } from "../data/live.ts";

const WORDS = {
  connecting: "Connecting",
  live: "Live",
  lost: "Reconnecting",
  paused: "Not live",
  ended: "Ended",
} as const;

/** In the top bar: whether the page updates itself. */
export function LiveMark() {
  const { state } = useLive();
  // The key makes each word a new element, so that no word is moved.
  return (
    <span key={state} className={`live narrow-dot${state === "live" ? "" : " is-off"}`}>
      {WORDS[state]}
    </span>
  );
}
