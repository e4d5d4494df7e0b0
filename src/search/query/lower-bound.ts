/** Places in ascending numbers. */

/** The first place from `from` on that is not before `unit`; near ones are found first, as the units asked for ascend. */
export function lowerBound(units: Uint32Array, unit: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < units.length && units[low + step]! < unit) {
    low += step;
    step *= 2;
  }
  let high = Math.min(units.length, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (units[middle]! < unit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a number; -1 if it is not there. */
export function findIn(numbers: Uint32Array, number: number): number {
  const at = lowerBound(numbers, number, 0);
  return numbers[at] === number ? at : -1;
}
