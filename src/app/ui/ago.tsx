import { type SyntheticEvent, useSyncExternalStore } from "react";
import { formatAge, formatExactTime } from "../format.ts";
import { readClock, watchClock } from "./clock.ts";

interface Props {
  /** RFC 3339; absent or empty: never. */
  at: string | undefined;
  /** Shown instead of a missing time. */
  never?: string;
}

/** "11 min"; the exact time is in the element, and with its zone in its tooltip. */
export function Ago({ at, never = "never" }: Props) {
  const time = Date.parse(at ?? "");
  // Rendered again when its words change, not with each tick of the clock.
  const words = useSyncExternalStore(watchClock, () =>
    // A new event may be later than the clock's last tick.
    Number.isNaN(time) ? never : formatAge(time, Math.max(readClock(), Math.min(time, Date.now()))),
  );
  if (Number.isNaN(time)) return <span className="number subtle">{words}</span>;
  return (
    <time className="number subtle" dateTime={at} onPointerEnter={writeTip}>
      {words}
    </time>
  );
}

/** Names of zones take long to load, and no one sees a tooltip before the pointer is there. */
function writeTip({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  currentTarget.title = formatExactTime(Date.parse(currentTarget.dateTime));
}
