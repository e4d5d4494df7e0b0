export interface Edge {
  from: string;
  to: string;
  label: string;
}

export interface DiagramNode {
  name: string;
  children: { node: DiagramNode; label: string }[];
  /** Arrows that use the lanes. */
  exits: { to: string; label: string }[];
}

/** Puts every node under its predecessor on the longest path to it; arrows that would close a cycle use the lanes. */
export function growTree(edges: readonly Edge[]): DiagramNode[] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const nodes = new Map<string, DiagramNode>(names.map((name) => [name, { name, children: [], exits: [] }]));
  const back = backArrows(names, edges);
  const forward = edges.filter((edge) => !back.has(edge));
  const rank = new Map(names.map((name) => [name, 0]));
  // The longest path needs at most as many rounds as there are nodes.
  for (const _ of names) {
    for (const { from, to } of forward) rank.set(to, Math.max(rank.get(to) ?? 0, (rank.get(from) ?? 0) + 1));
  }
  const hung = new Set<string>();
  for (const edge of edges) {
    const parent = nodes.get(edge.from);
    const node = nodes.get(edge.to);
    if (!parent || !node) continue;
    const isOnWay = !back.has(edge) && rank.get(edge.to) === (rank.get(edge.from) ?? 0) + 1;
    if (isOnWay && !hung.has(edge.to)) {
      parent.children.push({ node, label: edge.label });
      hung.add(edge.to);
    } else parent.exits.push({ to: edge.to, label: edge.label });
  }
  return names.flatMap((name) => (hung.has(name) ? [] : (nodes.get(name) ?? [])));
}

/** Arrows that lead back to a node on the path to their start, in the order in which the nodes are written. */
function backArrows(names: readonly string[], edges: readonly Edge[]): Set<Edge> {
  const state = new Map<string, "open" | "done">();
  const back = new Set<Edge>();
  const walk = (name: string): void => {
    state.set(name, "open");
    for (const next of edges.filter(({ from }) => from === name)) {
      if (state.get(next.to) === "open") back.add(next);
      else if (!state.has(next.to)) walk(next.to);
    }
    state.set(name, "done");
  };
  for (const name of names) if (!state.has(name)) walk(name);
  return back;
}

export function countExits(nodes: readonly DiagramNode[]): number {
  return nodes.reduce(
    (sum, { exits, children }) => sum + exits.length + countExits(children.map(({ node }) => node)),
    0,
  );
}
