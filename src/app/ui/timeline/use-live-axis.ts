import { type RefObject, useLayoutEffect, useState } from "react";
import { type Axis, fitAxis, growAxis } from "./axis.ts";
import { type Build, sinceStart } from "./build-model.ts";

interface Input {
  build: Build;
  /** The last time that must be visible, in addition to now. Milliseconds since the start. */
  extent: number;
  usual: number | null;
  stoppedAt: number | undefined;
  root: RefObject<HTMLElement | null>;
}

export interface LiveAxis {
  axis: Axis;
  /** How often it has grown. */
  growth: number;
}

/**
 * The axis, which grows by doubling while the build runs, and the end line: `--now` of the root is set ten
 * times a second without rendering.
 */
export function useLiveAxis({ build, extent, usual, stoppedAt, root }: Input): LiveAxis {
  const [live, setLive] = useState<LiveAxis>(() => ({
    axis: fitAxis(Math.max(extent, build.endedAt === null ? (usual ?? 0) * 1.06 : 0)),
    growth: 0,
  }));
  const grown = grow(live, extent);
  if (grown !== live) setLive(grown);
  const { end: axisEnd } = live.axis;
  const isRunning = build.endedAt === null && stoppedAt === undefined;
  useLayoutEffect(() => {
    let timer = 0;
    const move = () => {
      const end = sinceStart(build, build.endedAt ?? stoppedAt ?? Date.now());
      if (isRunning && end > axisEnd) setLive((now) => grow(now, end));
      root.current?.style.setProperty("--now", `${((end / axisEnd) * 100).toFixed(3)}%`);
      if (isRunning) timer = window.setTimeout(move, end < 60_000 ? 100 : 1000);
    };
    move();
    return () => clearTimeout(timer);
  }, [build, isRunning, axisEnd, root, stoppedAt]);
  return live;
}

function grow(now: LiveAxis, extent: number): LiveAxis {
  const axis = growAxis(now.axis, extent);
  return axis === now.axis ? now : { axis, growth: now.growth + 1 };
}
