import { type SyntheticEvent, useSyncExternalStore } from "react";
import { formatAge, formatExactTime } from "../format.ts";
import { readClock, watchClock } from "./clock.ts";

interface Props {
  /** RFC 3339; absent or empty: never. */
  at: string | undefined;
  /** Instead of a time that there is not. */
  never?: string;
}

/** "11 min"; the exact time is in the element, and with its zone in its tip. */
export function Ago({ at, never = "never" }: Props) {
  const time = Date.parse(at ?? "");
  // Rendered again when its words change, not with each step of the clock.
  const words = useSyncExternalStore(watchClock, () =>
    // What has just come may be later than the last step.
    Number.isNaN(time) ? never : formatAge(time, Math.max(readClock(), Math.min(time, Date.now()))),
  );
  if (Number.isNaN(time)) return <span className="num subtle">{words}</span>;
  return (
    <time className="num subtle" dateTime={at} onPointerEnter={writeTip}>
      {words}
    </time>
  );
}

/** Names of zones are slow to come by, and nobody sees a tip before the pointer is there. */
function writeTip({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  currentTarget.title = formatExactTime(Date.parse(currentTarget.dateTime));
}
