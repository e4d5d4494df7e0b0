/** The page as Markdown that stands on its own: no components, absolute links. */
import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { Components, MarkdownContext, MarkdownNode } from "../blocks/component.ts";
import { attributesOf, isComponent } from "../blocks/component-nodes.ts";
import { parseFenceMeta } from "../blocks/fence-meta.ts";

const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", emphasis: "_", rule: "-", listItemIndent: "one", resourceLink: true })
  .freeze();

/** The facts of `tree` are expanded. Placeholders are still hidden in it and in the result. */
export function pageMarkdown(
  page: { title: string; description: string },
  tree: Root,
  components: Components,
): string {
  // The HTML is made from the same tree, so it must not change.
  const copy = structuredClone(tree);
  const head: MarkdownNode[] = [
    { type: "heading", depth: 1, children: [{ type: "text", value: page.title }] },
    { type: "paragraph", children: [{ type: "text", value: page.description }] },
  ];
  const body = renderNodes(copy.children, 1, components);
  // Only blocks at this level: components replace blocks by blocks.
  const root: Root = { type: "root", children: [...head, ...body] as Root["children"] };
  visit(root, (node) => {
    if (node.type === "link" || node.type === "definition")
      node.url = node.url.replace(/^\/(?!\/)/, "qZoriginZq/");
    if (node.type === "image") node.url = node.url.replace(/^\/(?!\/)/, "qZoriginZq/");
  });
  return writer.stringify(root);
}

function renderNodes(nodes: readonly MarkdownNode[], start: number, components: Components): MarkdownNode[] {
  let depth = start;
  return nodes.flatMap((node): MarkdownNode[] => {
    if (node.type === "heading") depth = node.depth;
    if (node.type === "code") {
      const { meta } = parseFenceMeta(node);
      const fence = components.fences[node.lang ?? ""];
      if (fence) return fence.markdown(node, meta);
      return [
        {
          ...node,
          lang: meta.diff ? "diff" : node.lang,
          meta: meta.title === null ? null : `title="${meta.title}"`,
        },
      ];
    }
    if (isComponent(node)) {
      const component = components.elements[node.name ?? ""];
      const context: MarkdownContext = {
        depth,
        render: (inner, innerDepth = depth) => renderNodes(inner, innerDepth, components),
      };
      return component?.kind === "layout"
        ? component.markdown(node, attributesOf(node), context)
        : renderNodes(node.children, depth, components);
    }
    // Lists and quotes may contain components; blocks are replaced by blocks.
    if ("children" in node) Object.assign(node, { children: renderNodes(node.children, depth, components) });
    return [node];
  });
}
