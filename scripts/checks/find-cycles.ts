/** Name → the names that it points to. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Groups of names that reach each other (Tarjan's strongly connected components), each sorted; empty when there are no cycles.
 */
export function findCycles(arrows: Arrows): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cycles: string[][] = [];

  function visit(name: string): number {
    const place = order.size;
    order.set(name, place);
    lowest.set(name, place);
    open.push(name);
    isOpen.add(name);
    for (const next of arrows.get(name) ?? []) {
      if (!order.has(next)) lower(name, visit(next));
      else if (isOpen.has(next)) lower(name, order.get(next) ?? 0);
    }
    if (lowest.get(name) === place) close(name);
    return lowest.get(name) ?? place;
  }

  function lower(name: string, place: number): void {
    lowest.set(name, Math.min(lowest.get(name) ?? place, place));
  }

  function close(name: string): void {
    const group = open.splice(open.indexOf(name));
    for (const member of group) isOpen.delete(member);
    if (group.length > 1) cycles.push(group.sort());
  }

  for (const name of arrows.keys()) if (!order.has(name)) visit(name);
  return cycles;
}
