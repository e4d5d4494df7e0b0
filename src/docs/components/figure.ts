import { h } from "hastscript";
import type { LayoutComponent } from "#docs/content/blocks/component.ts";
import { plain } from "./inline-markdown.ts";

export const figure: LayoutComponent = {
  kind: "layout",
  attributes: { src: { required: true, kind: "image" }, alt: { required: true }, caption: {} },
  content: "none",
  example: '<Figure src="/images/x.svg" alt="What the image shows" caption="What it says" />',
  html(_element, { src = "", alt, caption }, context) {
    const image = h("img", { src, alt, ...context.imageSize(src), loading: "lazy", decoding: "async" });
    const text = caption === undefined ? [] : [h("figcaption", caption)];
    return [h("figure", { className: ["figure"] }, [image, ...text])];
  },
  markdown(_node, { src = "", alt = "", caption }) {
    const image = { type: "paragraph" as const, children: [{ type: "image" as const, url: src, alt }] };
    if (caption === undefined) return [image];
    return [image, { type: "paragraph", children: [{ type: "emphasis", children: plain(caption) }] }];
  },
};
