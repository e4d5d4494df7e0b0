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
 * the one order that is asked for hundreds of thousands of candidates.
 */
export function selectHighest(values: Float32Array | Uint32Array, size: number, count: number): number[] {
  const isBefore = (a: number, b: number) => values[a]! > values[b]! || (values[a] === values[b] && a < b);
  const heap = selectBest(Math.min(size, count), count, isBefore).toReversed();
  if (heap.length === 0) return heap;
  let least = values[heap[0]!]!;
  for (let item = heap.length; item < size; item++) {
    if (values[item]! <= least) continue;
    heap[0] = item;
    sink(heap, isBefore);
    least = values[heap[0]]!;
  }
  return heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}
