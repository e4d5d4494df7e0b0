/** The best `count` of the numbers 0 to `size - 1`, best first. `isBefore` must be a strict total order. */
export function selectBest(
  size: number,
  count: number,
  isBefore: (a: number, b: number) => boolean,
): number[] {
  // A heap with the worst of the kept ones on top: most candidates cost one comparison.
  const heap: number[] = [];
  for (let item = 0; item < size; item++) {
    if (heap.length < count) {
      heap.push(item);
      rise(heap, isBefore);
    } else if (count > 0 && isBefore(item, heap[0]!)) {
      heap[0] = item;
      sink(heap, isBefore);
    }
  }
  return heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function rise(heap: number[], isBefore: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[parent]!, heap[at]!)) return;
    [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
    at = parent;
  }
}

function sink(heap: number[], isBefore: (a: number, b: number) => boolean): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const worse = right < heap.length && isBefore(heap[left]!, heap[right]!) ? right : left;
    if (!isBefore(heap[at]!, heap[worse]!)) return;
    [heap[at], heap[worse]] = [heap[worse]!, heap[at]!];
    at = worse;
  }
}

/**
 * The best `count` of the numbers 0 to `size - 1`, highest value first, of equal ones the smaller number: `selectBest` for
 * the one order that is used for hundreds of thousands of candidates, without a call for each.
 */
export function selectHighest(values: Float32Array | Uint32Array, size: number, count: number): number[] {
  const length = Math.min(size, count);
  const heap = new Uint32Array(length);
  for (let item = 0; item < length; item++) heap[item] = item;
  for (let at = (length >>> 1) - 1; at >= 0; at--) sinkLowest(heap, values, at);
  if (length > 0) {
    for (let item = length; item < size; item++) {
      // A later item with the same value comes after the one it would replace.
      if (values[item]! <= values[heap[0]!]!) continue;
      heap[0] = item;
      sinkLowest(heap, values, 0);
    }
  }
  return Array.from(heap).sort((a, b) => values[b]! - values[a]! || a - b);
}

/** Restores a heap with the lowest value on top, of equal ones the greatest number. */
function sinkLowest(heap: Uint32Array, values: Float32Array | Uint32Array, from: number): void {
  const item = heap[from]!;
  const value = values[item]!;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    let lowest = values[heap[child]!]!;
    if (child + 1 < heap.length) {
      const other = values[heap[child + 1]!]!;
      if (other < lowest || (other === lowest && heap[child + 1]! > heap[child]!)) {
        child++;
        lowest = other;
      }
    }
    if (lowest > value || (lowest === value && heap[child]! < item)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
}
