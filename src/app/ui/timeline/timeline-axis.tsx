import type { CSSProperties } from "react";
import { formatTook } from "../../format.ts";
import { formatTick } from "../clock/format-tick.ts";
import { useNow } from "../clock/use-now.ts";
import type { Axis } from "./axis.ts";
import { type Build, sinceStart } from "./build-model.ts";
import { percent } from "./step-row.tsx";

interface Props {
  build: Build;
  axis: Axis;
  /** Milliseconds; null when unknown or not shown. */
  usual: number | null;
  stoppedAt: number | undefined;
}

/** Shares of the axis before and after a flag where it would cover a tick's label. */
const BEFORE = 0.075;
const BEHIND = 0.085;

/** Round times, the flag of the end line, and the usual end of builds. Visual only. */
export function TimelineAxis({ build, axis, usual, stoppedAt }: Props) {
  const isRunning = build.endedAt === null && stoppedAt === undefined;
  const now = useNow(isRunning, build.startedAt);
  const end = sinceStart(build, build.endedAt ?? stoppedAt ?? now);
  const isNearEnd = end > axis.end * 0.92;
  // Near the end, the flag is before the line.
  const flags = [isNearEnd ? end - axis.end * BEHIND : end, ...(usual === null ? [] : [usual])];
  const isFree = (tick: number, times = 1) =>
    tick < axis.end * 0.97 &&
    flags.every((at) => tick < at - axis.end * BEFORE * times || tick > at + axis.end * BEHIND * times);
  // If two flags overlap, the build's current position matters more.
  const showsUsual = usual !== null && usual <= axis.end && Math.abs(usual - end) > axis.end * BEHIND;
  const flag = build.endedAt === null ? formatTick(Math.floor(end / 1000) * 1000) : formatTook(end);
  return (
    <div className="timeline-row timeline-axis">
      <span>Step</span>
      <span className="track" aria-hidden="true">
        {axis.ticks
          .filter((tick) => isFree(tick))
          .map((tick) => (
            <span
              key={tick}
              className={isFree(tick, 2) ? undefined : "near"}
              style={{ "--s": percent(tick, axis) } as CSSProperties}
            >
              {formatTick(tick)}
            </span>
          ))}
        <b
          className={isNearEnd ? "timeline-flag back" : "timeline-flag"}
          style={{ "--letters": flag.length } as CSSProperties}
        >
          {flag}
        </b>
        {showsUsual && (
          <b className="timeline-flag usual">usual {formatTick(Math.round(usual / 1000) * 1000)}</b>
        )}
      </span>
      <span>Time</span>
    </div>
  );
}
