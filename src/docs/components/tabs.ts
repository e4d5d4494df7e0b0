import { h } from "hastscript";
import type { LayoutComponent, MarkdownNode } from "#docs/content/blocks/component.ts";
import { attributesOf, isComponent, isComponentElement } from "#docs/content/blocks/component-nodes.ts";
import { plain } from "./inline-markdown.ts";
import { markTabs } from "#docs/content/blocks/markdown-tabs.ts";

const example =
  '<Tabs group="package-manager">\n<Tab label="npm">\n\nText.\n\n</Tab>\n<Tab label="pnpm">\n\nText.\n\n</Tab>\n</Tabs>';

/** ARIA tabs. The first is chosen; the other panels stay in the document, for search and for the browser's find. */
export const tabs: LayoutComponent = {
  kind: "layout",
  attributes: { group: {} },
  content: "blocks",
  only: "Tab",
  example,
  html(element, { group }, context) {
    const panels = element.children.filter(isComponentElement).map((tab) => {
      const label = attributesOf(tab).label ?? "";
      const id = context.id(`tab-${group ?? context.heading}-${label}`);
      return { label, id, panel: `${id}-panel`, children: tab.children };
    });
    const list = panels.map(({ label, id, panel }, index) => {
      const state = index === 0 ? { ariaSelected: "true" } : { ariaSelected: "false", tabIndex: -1 };
      return h("button", { role: "tab", type: "button", id, ariaControls: panel, ...state }, label);
    });
    const name = group === undefined ? context.heading : sentence(group);
    return [
      h("div", { className: ["tabs"], ...(group === undefined ? {} : { dataGroup: group }) }, [
        h("div", { role: "tablist", ariaLabel: name }, list),
        ...panels.map(({ id, panel, children }, index) => {
          const properties = { role: "tabpanel", id: panel, ariaLabelledBy: id, hidden: index > 0 };
          return h("div", properties, context.render(children));
        }),
      ]),
    ];
  },
  markdown(node, { group }, context) {
    const depth = Math.min(context.depth + 1, 6);
    const panels = node.children.filter(isComponent).map((tab) => {
      const label = attributesOf(tab).label ?? "";
      // `min` and `max` above keep it between 2 and 6.
      const heading = { type: "heading" as const, depth: depth as 2 | 3 | 4 | 5 | 6 };
      const nodes: MarkdownNode[] = [
        { ...heading, children: plain(label) },
        ...context.render(tab.children, depth),
      ];
      return { label, nodes };
    });
    return group === undefined ? panels.flatMap(({ nodes }) => nodes) : markTabs(group, panels);
  },
};

export const tab: LayoutComponent = {
  kind: "layout",
  attributes: { label: { required: true } },
  content: "blocks",
  parent: "Tabs",
  example,
  html: (element, _attributes, context) => context.render(element.children),
  markdown: (node, _attributes, context) => context.render(node.children),
};

/** `package-manager` → `Package manager` */
function sentence(group: string): string {
  const words = group.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
