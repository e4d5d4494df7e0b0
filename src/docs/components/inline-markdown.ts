import type { BlockContent, PhrasingContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { MarkdownNode } from "#docs/content/blocks/component.ts";
import { hidePlaceholders } from "#docs/content/page/placeholders.ts";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** One line of Markdown (a fact's text) as nodes. HTML in it becomes text. */
export function inlineMarkdown(source: string): PhrasingContent[] {
  const first = parser.parse(hidePlaceholders(source)).children[0];
  const nodes = first?.type === "paragraph" ? first.children : [];
  return nodes.length === 0 ? [{ type: "text", value: source }] : withoutHtml(nodes);
}

function withoutHtml(nodes: PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node): PhrasingContent => {
    if (node.type === "html") return { type: "text", value: node.value };
    if ("children" in node) return { ...node, children: withoutHtml(node.children) } as PhrasingContent;
    return node;
  });
}

/** Escapes text, whatever characters it contains. */
export function plain(value: string): PhrasingContent[] {
  return [{ type: "text", value }];
}

/** The children of a layout component are blocks: `unravelComponents` guarantees it. */
export function asBlocks(nodes: MarkdownNode[]): BlockContent[] {
  return nodes as BlockContent[];
}
