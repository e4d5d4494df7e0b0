import { h } from "hastscript";
import { icon, type LayoutComponent } from "#docs/content/blocks/component.ts";
import { plain } from "./inline-markdown.ts";

const EXAMPLE = '<FAQ>\n<Question title="Does it work offline?">\n\nText.\n\n</Question>\n</FAQ>';

export const faq: LayoutComponent = {
  kind: "layout",
  attributes: {},
  content: "blocks",
  only: "Question",
  example: EXAMPLE,
  html: (element, _attributes, context) => [
    h("div", { className: ["faq"] }, context.render(element.children)),
  ],
  markdown: (node, _attributes, context) => context.render(node.children),
};

/** A folding heading. Like any heading it can be linked, and the browser and the search find its answer. */
export const question: LayoutComponent = {
  kind: "layout",
  attributes: { title: { required: true } },
  content: "blocks",
  parent: "FAQ",
  example: EXAMPLE,
  html(element, { title = "" }, context) {
    const depth = Math.min(context.depth + 1, 4);
    const head = h(`h${depth}`, { id: context.id(title) }, title);
    const answer = h("div", { className: ["answer"] }, context.render(element.children, depth));
    return [h("details", { className: ["question"] }, [h("summary", [icon("chevron-right"), head]), answer])];
  },
  markdown(node, { title = "" }, context) {
    const depth = Math.min(context.depth + 1, 6);
    // `min` above keeps it between 2 and 6.
    const heading = { type: "heading" as const, depth: depth as 2 | 3 | 4 | 5 | 6, children: plain(title) };
    return [heading, ...context.render(node.children, depth)];
  },
};
