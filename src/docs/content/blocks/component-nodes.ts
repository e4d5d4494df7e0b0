import type { PhrasingContent, Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import type { ComponentElement, ComponentNode, Components, MarkdownNode } from "./component.ts";

export function isComponent(node: { type: string }): node is ComponentNode {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

export function isComponentElement(node: { type: string }): node is ComponentElement {
  return isComponent(node);
}

/** The attributes with a text value. Expressions are reported elsewhere and count as absent. */
export function attributesOf(node: ComponentNode | ComponentElement): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const attribute of node.attributes) {
    if (attribute.type !== "mdxJsxAttribute") continue;
    if (typeof attribute.value === "string") attributes[attribute.name] = attribute.value;
    else if (!attribute.value) attributes[attribute.name] = "";
  }
  return attributes;
}

/**
 * MDX makes a paragraph of `<Card …>text</Card>` on one line, and of several such lines. Here each becomes a block again
 * and its bare text a paragraph, so that a component does not depend on how it was written.
 */
export function unravelComponents(tree: Root, components: Components): void {
  const isBlock = (node: MarkdownNode) => isComponent(node) && !isInline(node, components);
  visit(tree, "paragraph", (paragraph, index, parent) => {
    if (!parent || index === undefined) return undefined;
    const isOnlyBlocks = paragraph.children.every((node) => isBlock(node) || isBlankText(node));
    if (!isOnlyBlocks || !paragraph.children.some(isBlock)) return undefined;
    const blocks = paragraph.children.filter((node) => isComponent(node)).map((node) => asFlow(node));
    parent.children.splice(index, 1, ...blocks);
    return [SKIP, index];
  });
  visit(tree, (node, index, parent) => {
    if (!isComponent(node) || !parent || index === undefined) return;
    if (node.type === "mdxJsxFlowElement" && isInline(node, components)) {
      parent.children[index] = { type: "paragraph", children: [asText(node)], position: node.position };
    }
  });
}

function isInline(node: ComponentNode, components: Components): boolean {
  const component = components.elements[node.name ?? ""];
  return component?.kind === "fact" && component.inline;
}

function asFlow(node: ComponentNode): ComponentNode & { type: "mdxJsxFlowElement" } {
  if (node.type === "mdxJsxFlowElement") return node;
  const { name, attributes, children, position } = node;
  const hasBlocks =
    children.length > 0 && children.every((child) => isComponent(child) || isBlankText(child));
  const blocks = hasBlocks
    ? children.filter((child) => isComponent(child)).map((child) => asFlow(child))
    : [{ type: "paragraph" as const, children, position }];
  return {
    type: "mdxJsxFlowElement",
    name,
    attributes,
    children: children.length === 0 ? [] : blocks,
    position,
  };
}

function asText({
  name,
  attributes,
  position,
}: ComponentNode): ComponentNode & { type: "mdxJsxTextElement" } {
  return { type: "mdxJsxTextElement", name, attributes, children: [], position };
}

function isBlankText(node: PhrasingContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}
