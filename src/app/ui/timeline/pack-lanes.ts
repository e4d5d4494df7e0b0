import type { Step } from "./build-model.ts";
import type { Span } from "./span.ts";

export interface LaneBar extends Span {
  look: "cached" | "worked" | "failed" | "running";
}

/** A closed platform has room for two lanes. */
const MAX_LANES = 2;

/** The stages of a platform in parallel lanes where they ran at the same time. Adjacent steps with the same look become one bar. */
export function packLanes(steps: readonly Step[], spanOf: (step: Step) => Span | null): LaneBar[][] {
  const bars = steps
    .flatMap((step) => {
      const span = spanOf(step);
      return span ? [{ ...span, look: lookOf(step) }] : [];
    })
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const lanes: LaneBar[][] = [];
  for (const bar of bars) {
    const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) <= bar.start);
    if (free) joinOrAdd(free, bar);
    else if (lanes.length < MAX_LANES) lanes.push([bar]);
    // A third bar is drawn over the one that ends first.
    else joinOrAdd(endsFirst(lanes), bar);
  }
  return lanes;
}

function joinOrAdd(lane: LaneBar[], bar: LaneBar): void {
  const last = lane.at(-1);
  if (last && last.look === bar.look && bar.start <= last.end) last.end = Math.max(last.end, bar.end);
  else lane.push(bar);
}

const endsFirst = (lanes: LaneBar[][]) =>
  lanes.reduce((first, lane) => ((lane.at(-1)?.end ?? 0) < (first.at(-1)?.end ?? 0) ? lane : first));

function lookOf({ state }: Step): LaneBar["look"] {
  if (state === "cached" || state === "failed" || state === "running") return state;
  return "worked";
}
