import { useSyncExternalStore } from "react";
import { formatAge, formatExactTime } from "../format.ts";
import { readClock, watchClock } from "./clock.ts";

interface Props {
  /** RFC 3339; absent or empty: never. */
  at: string | undefined;
  /** Instead of a time that there is not. */
  never?: string;
}

/** "11 min"; the exact time with its zone is in the element and its tip. */
export function Ago({ at, never = "never" }: Props) {
  const time = Date.parse(at ?? "");
  // Rendered again when its words change, not with each step of the clock.
  const words = useSyncExternalStore(watchClock, () =>
    // What has just come may be later than the last step.
    Number.isNaN(time) ? never : formatAge(time, Math.max(readClock(), Math.min(time, Date.now()))),
  );
  if (Number.isNaN(time)) return <span className="num subtle">{words}</span>;
  return (
    <time className="num subtle" dateTime={at} title={formatExactTime(time)}>
      {words}
    </time>
  );
}
