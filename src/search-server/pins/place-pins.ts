export interface Placed<Item> {
  item: Item;
  /** The first place is 0. */
  position: number;
}

/**
 * Puts items at their places among the others. Two for one place follow each other in their order; one beyond the end
 * follows the last.
 */
export function placePins<Item>(found: readonly Item[], pinned: readonly Placed<Item>[]): Item[] {
  const placed: Item[] = [];
  let next = 0;
  for (const { item, position } of pinned.toSorted((a, b) => a.position - b.position)) {
    while (placed.length < position && next < found.length) placed.push(found[next++]!);
    placed.push(item);
  }
  return [...placed, ...found.slice(next)];
}
