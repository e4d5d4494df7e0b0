import { h } from "hastscript";
import { icon, type LayoutComponent } from "#docs/content/blocks/component.ts";
import { asBlocks, plain } from "./inline-markdown.ts";

const ICONS = { info: "info", tip: "lightbulb", warn: "triangle-alert", danger: "octagon-alert" };
const WORDS = { info: "Note", tip: "Tip", warn: "Warning", danger: "Danger" };

function isType(type: string | undefined): type is keyof typeof ICONS {
  return type !== undefined && Object.hasOwn(ICONS, type);
}

export const callout: LayoutComponent = {
  kind: "layout",
  attributes: { type: { required: true, values: Object.keys(ICONS) }, title: { required: true } },
  content: "blocks",
  example: '<Callout type="info" title="The point in one line">\n\nText.\n\n</Callout>',
  html(element, { type, title }, context) {
    const kind = isType(type) ? type : "info";
    const body = h("div", [
      h("p", { className: ["callout-title"] }, title),
      ...context.render(element.children),
    ]);
    return [
      h("aside", { className: ["callout", `callout-${kind}`], role: "note" }, [icon(ICONS[kind]), body]),
    ];
  },
  markdown(node, { type, title }, context) {
    const kind = isType(type) ? type : "info";
    const head = plain(`${WORDS[kind]}: ${title ?? ""}`);
    const strong = { type: "paragraph" as const, children: [{ type: "strong" as const, children: head }] };
    return [{ type: "blockquote", children: [strong, ...asBlocks(context.render(node.children))] }];
  },
};
