import type { ElementContent } from "hast";
import { h } from "hastscript";
import type { BlockContent, DefinitionContent, PhrasingContent } from "mdast";
import { icon, type LayoutComponent } from "#docs/content/blocks/component.ts";
import { attributesOf, isComponent } from "#docs/content/blocks/component-nodes.ts";
import { previewMark } from "#docs/content/page/preview-marks.ts";
import { plain } from "./inline-markdown.ts";

const example =
  '<Cards>\n<Card title="Layer cache" href="/docs/cache/overview" icon="layers">One sentence.</Card>\n</Cards>';

export const cards: LayoutComponent = {
  kind: "layout",
  attributes: {},
  content: "blocks",
  only: "Card",
  example,
  html: (element, _attributes, context) => [
    h("div", { className: ["cards"] }, context.render(element.children)),
  ],
  markdown(node) {
    const items = node.children.filter(isComponent).map((card) => {
      const { title = "", href = "", isToCome } = attributesOf(card);
      const link = { type: "link" as const, url: href, children: plain(title) };
      const name = isToCome === undefined ? [link] : [link, ...plain(" "), previewMark("")];
      const text = phrasing(card.children);
      const children = text.length === 0 ? name : [...name, ...plain(": "), ...text];
      return {
        type: "listItem" as const,
        spread: false,
        children: [{ type: "paragraph" as const, children }],
      };
    });
    return [{ type: "list", ordered: false, spread: false, children: items }];
  },
};

export const card: LayoutComponent = {
  kind: "layout",
  attributes: { title: { required: true }, href: { required: true, kind: "link" }, icon: {} },
  content: "blocks",
  parent: "Cards",
  example,
  html(element, { title, href, icon: name, isToCome }, context) {
    const text = inlineOf(context.render(element.children));
    return [
      h("a", { className: ["card"], href }, [
        icon(name ?? "file-text"),
        h("span", { className: ["card-title"] }, [
          title,
          ...(isToCome === undefined ? [] : [" ", h("span", { className: ["preview"] }, "Preview")]),
        ]),
        ...(text.length === 0 ? [] : [h("span", { className: ["card-text"] }, text)]),
      ]),
    ];
  },
  markdown: (node, _attributes, context) => context.render(node.children),
};

/** The whole card is a link, so it cannot contain paragraphs or links. */
function inlineOf(nodes: ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type !== "element") return [node];
    return node.tagName === "p" || node.tagName === "a" ? inlineOf(node.children) : [node];
  });
}

function phrasing(nodes: readonly (PhrasingContent | BlockContent | DefinitionContent)[]): PhrasingContent[] {
  return nodes.flatMap((node) => (node.type === "paragraph" ? node.children : []));
}
