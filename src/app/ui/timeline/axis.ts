/** A time axis from the build's start. All milliseconds. */
export interface Axis {
  end: number;
  /** 4 to 7 round times, from 0. */
  ticks: readonly number[];
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MAX_TICKS = 7;
/** For a build that has just begun, and of which nothing is known. */
const SHORTEST = 4 * SECOND;
/** Room after the end, for its flag. */
const ROOM = 1.08;

/** Each at most 7/3 of the previous one, so that any length has 4 to 7 of them. */
const STEPS: readonly number[] = [
  1,
  2,
  3,
  5,
  ...[1, 2, 3, 5, 10, 20, 30, 50].map((hundredths) => hundredths * 10),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 192, 384].map((hours) => hours * HOUR),
];

/** A growing axis may double once more. */
const LONGEST = 40 * 24 * HOUR;

/** @param extent the last time that must be visible: the build's end, its usual end, the end of the other build */
export function fitAxis(extent: number): Axis {
  const wanted = Math.min(Math.max(Number.isFinite(extent) ? extent : 0, SHORTEST / ROOM) * ROOM, LONGEST);
  const step = stepFor(wanted);
  return axisTo(Math.ceil(wanted / step) * step);
}

/** The axis of a running build: it stays until the build passes its end, and then doubles. */
export function growAxis(axis: Axis, extent: number): Axis {
  let { end } = axis;
  while (end < extent && end < LONGEST) end *= 2;
  return end === axis.end ? axis : axisTo(end);
}

function axisTo(end: number): Axis {
  const step = stepFor(end);
  const count = Math.floor(end / step) + 1;
  return { end, ticks: Array.from({ length: count }, (_, index) => index * step) };
}

const stepFor = (end: number) =>
  STEPS.find((step) => Math.floor(end / step) + 1 <= MAX_TICKS) ?? (STEPS.at(-1) as number);
