import { h } from "hastscript";
import type { LayoutComponent } from "#docs/content/blocks/component.ts";
import { attributesOf, isComponent } from "#docs/content/blocks/component-nodes.ts";
import { asBlocks, plain } from "./inline-markdown.ts";

const EXAMPLE = '<Steps>\n<Step title="Install the CLI">\n\nText.\n\n</Step>\n</Steps>';

/** Headings of steps are one level below the heading above the steps. */
const titleDepth = (depth: number) => Math.min(depth + 1, 4);

export const steps: LayoutComponent = {
  kind: "layout",
  attributes: {},
  content: "blocks",
  only: "Step",
  example: EXAMPLE,
  html: (element, _attributes, context) => [
    h("ol", { className: ["steps"] }, context.render(element.children)),
  ],
  markdown(node, _attributes, context) {
    const items = node.children.filter(isComponent).map((step) => {
      const title = plain(attributesOf(step).title ?? "");
      const head = { type: "paragraph" as const, children: [{ type: "strong" as const, children: title }] };
      return {
        type: "listItem" as const,
        spread: true,
        children: [head, ...asBlocks(context.render(step.children))],
      };
    });
    return [{ type: "list", ordered: true, spread: true, children: items }];
  },
};

export const step: LayoutComponent = {
  kind: "layout",
  attributes: { title: { required: true } },
  content: "blocks",
  parent: "Steps",
  example: EXAMPLE,
  html(element, { title = "" }, context) {
    const depth = titleDepth(context.depth);
    const head = h(`h${depth}`, { className: ["step-title"], id: context.id(title) }, title);
    return [h("li", [head, ...context.render(element.children, depth)])];
  },
  markdown: (node, _attributes, context) => context.render(node.children),
};
