import { EVENT_TYPE, isObject, type RecordedEvent } from "./events.ts";

/**
 * The label or text of clicked nodes, by the node's number. Snapshots of pages have thousands of nodes, so only the wanted ones are kept.
 */
export function nameClickedNodes(events: RecordedEvent[], wanted: Set<number>): Map<number, string> {
  const names = new Map<number, string>();
  if (wanted.size === 0) return names;
  const visit = (node: unknown, depth: number) => {
    // Deeper than any page: a made-up recording must not exhaust the stack.
    if (!isObject(node) || depth > 200) return;
    if (wanted.has(Number(node["id"]))) {
      const name = nameOf(node);
      if (name) names.set(Number(node["id"]), name);
    }
    if (Array.isArray(node["childNodes"])) for (const child of node["childNodes"]) visit(child, depth + 1);
  };
  for (const event of events) {
    if (event.type === EVENT_TYPE.fullSnapshot) visit(event.data["node"], 0);
    const adds = event.type === EVENT_TYPE.incremental ? event.data["adds"] : undefined;
    if (Array.isArray(adds)) for (const add of adds) if (isObject(add)) visit(add["node"], 0);
  }
  return names;
}

function nameOf(node: { [name: string]: unknown }): string {
  const attributes = isObject(node["attributes"]) ? node["attributes"] : {};
  const label = attributes["aria-label"] ?? attributes["title"] ?? attributes["alt"];
  if (typeof label === "string" && label.trim()) return label.trim();
  return textOf(node, 0).replaceAll(/\s+/g, " ").trim().slice(0, 200);
}

function textOf(node: { [name: string]: unknown }, depth: number): string {
  if (typeof node["textContent"] === "string") return node["textContent"].slice(0, 200);
  if (!Array.isArray(node["childNodes"]) || depth > 20) return "";
  return node["childNodes"]
    .slice(0, 20)
    .map((child) => (isObject(child) ? textOf(child, depth + 1) : ""))
    .join(" ");
}
