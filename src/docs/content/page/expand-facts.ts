import type { Parent, Root } from "mdast";
import { visit } from "unist-util-visit";
import { FactError, type Components, type MarkdownNode } from "../blocks/component.ts";
import { attributesOf, isComponent } from "../blocks/component-nodes.ts";
import type { Facts } from "../facts/facts.ts";
import { lineOf, type ProblemList } from "../problem.ts";
import type { Slugger } from "./slugger.ts";

interface ExpandOptions {
  components: Components;
  facts: Facts;
  slugger: Slugger;
  problems: ProblemList;
}

/** Replaces the components that show facts by their Markdown. */
export function expandFacts(tree: Root, { components, facts, slugger, problems }: ExpandOptions): void {
  const claim = (id: string, otherwise: string) => slugger.slug(slugger.isFree(id) ? id : otherwise);
  visit(tree, (node, index, parent) => {
    if (!isComponent(node) || !parent || index === undefined) return undefined;
    const component = components.elements[node.name ?? ""];
    if (component?.kind !== "fact") return undefined;
    let nodes: MarkdownNode[] = [];
    try {
      nodes = component.expand(attributesOf(node), facts, claim);
    } catch (error) {
      if (!(error instanceof FactError)) throw error;
      problems.error(lineOf(node), "fact", error.message, error.fix);
    }
    for (const expanded of nodes) placeAt(expanded, node.position);
    // The result takes the component's place, so its kind (block or inline) fits.
    (parent.children as MarkdownNode[]).splice(index, 1, ...nodes);
    if (nodes.length === 0) closeGap(parent, index);
    return index + nodes.length;
  });
  // Removes empty paragraphs, left by components that gave nothing.
  visit(tree, "paragraph", ({ children }, index, parent) => {
    if (children.length > 0 || !parent || index === undefined) return undefined;
    parent.children.splice(index, 1);
    return index;
  });
}

/** Removes white space next to a component that gave nothing. */
function closeGap({ children }: Parent, index: number): void {
  const [before, after] = [children[index - 1], children[index]];
  if (after?.type === "text" && (!before || /\s$/.test(before.type === "text" ? before.value : "")))
    after.value = after.value.trimStart();
  if (!after && before?.type === "text") before.value = before.value.trimEnd();
}

/** Links in a table of facts are reported at the component's line. */
function placeAt(node: MarkdownNode, position: Parent["position"]): void {
  visit(node, (inner) => {
    inner.position = position;
  });
}
