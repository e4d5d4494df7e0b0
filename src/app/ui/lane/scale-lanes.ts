/** Position of the usual end, the same for all lanes that are shown together. Percent of the width. */
export const USUAL_AT = 87;

export interface LaneTimes {
  /** Milliseconds since it started; null while it waits. */
  elapsed: number | null;
  /** Median of the last 20 that succeeded, in milliseconds; null when unknown. */
  usual: number | null;
  /** The part of the elapsed time that came from the cache; milliseconds. */
  cached?: number;
}

/** In percent of the lane's width. */
export interface LaneScale {
  kind: "waiting" | "unknown" | "scaled";
  cached: number;
  /** The end of the bar. */
  end: number;
  isOver: boolean;
}

/** After the usual end the bar grows towards the end of the lane, ever more slowly, and never passes it. */
export function scaleLane({ elapsed, usual, cached = 0 }: LaneTimes): LaneScale {
  if (elapsed === null) return { kind: "waiting", cached: 0, end: 0, isOver: false };
  if (usual === null || !(usual > 0)) return { kind: "unknown", cached: 0, end: 100, isOver: false };
  const share = Math.max(elapsed, 0) / usual;
  const isOver = share > 1;
  const end = isOver ? USUAL_AT + (100 - USUAL_AT) * (1 - 1 / share) : share * USUAL_AT;
  const part = elapsed > 0 ? Math.min(Math.max(cached / elapsed, 0), 1) : 0;
  return { kind: "scaled", cached: part * end, end, isOver };
}
