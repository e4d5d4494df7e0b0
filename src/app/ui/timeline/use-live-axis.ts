import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Axis, fitAxis, growAxis } from "./axis.ts";
import { type Build, sinceStart } from "./build-model.ts";

interface Input {
  build: Build;
  /** The last time that must be seen, besides now. Milliseconds since the start. */
  extent: number;
  usual: number | null;
  stoppedAt: number | undefined;
  root: RefObject<HTMLElement | null>;
}

interface LiveAxis {
  axis: Axis;
  /** How often it has grown. */
  growth: number;
}

/**
 * The axis, which grows by doubling while the build runs, and the end line: `--now` of the root is set ten times a second
 * without anything being rendered.
 */
export function useLiveAxis({ build, extent, usual, stoppedAt, root }: Input): LiveAxis {
  const [live, setLive] = useState<LiveAxis>(() => ({
    axis: fitAxis(Math.max(extent, build.endedAt === null ? (usual ?? 0) * 1.06 : 0)),
    growth: 0,
  }));
  // Another build, or one to compare with, has an axis of its own.
  const isRunning = build.endedAt === null && stoppedAt === undefined;
  const latest = useRef(live);
  useLayoutEffect(() => {
    latest.current = live;
  });
  useEffect(() => {
    setLive((now) => grow(now, extent));
  }, [extent]);
  useLayoutEffect(() => {
    let timer = 0;
    const move = () => {
      const end = sinceStart(build, build.endedAt ?? stoppedAt ?? Date.now());
      if (isRunning && end > latest.current.axis.end) setLive((now) => grow(now, end));
      root.current?.style.setProperty("--now", `${((end / latest.current.axis.end) * 100).toFixed(3)}%`);
      if (isRunning) timer = window.setTimeout(move, end < 60_000 ? 100 : 1000);
    };
    move();
    return () => clearTimeout(timer);
  }, [build, isRunning, live.axis, root, stoppedAt]);
  return live;
}

function grow(now: LiveAxis, extent: number): LiveAxis {
  const axis = growAxis(now.axis, extent);
  return axis === now.axis ? now : { axis, growth: now.growth + 1 };
}
