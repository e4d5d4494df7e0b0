/** Markdown tree → the HTML tree of the design: headings with anchors, framed tables, authors' components. */
import type { Slugger } from "./slugger.ts";
import type { Element, ElementContent, Root as HtmlRoot } from "hast";
import { toString } from "hast-util-to-string";
import { h } from "hastscript";
import type { Code, Root } from "mdast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { codeBlock } from "../blocks/code-block.ts";
import type { Components, HtmlContext } from "../blocks/component.ts";
import { attributesOf, isComponentElement } from "../blocks/component-nodes.ts";
import { parseFenceMeta } from "../blocks/fence-meta.ts";
import { visit } from "unist-util-visit";

export interface RenderOptions {
  title: string;
  components: Components;
  slugger: Slugger;
  imageSize: HtmlContext["imageSize"];
  /** Whether a code block has a command that does not run yet. */
  isPreview(code: Code): boolean;
}

/** Code blocks in progress: already drawn, or waiting for the component of their fence. */
const fences = new WeakMap<Element, Code>();

export async function renderHtml(tree: Root, options: RenderOptions): Promise<HtmlRoot> {
  const drawn = new Map<Code, Element>();
  const codes: Code[] = [];
  visit(tree, "code", (code) => void codes.push(code));
  for (const code of codes) {
    const isSpecial = Object.hasOwn(options.components.fences, code.lang ?? "");
    const element = isSpecial
      ? h("div")
      : await codeBlock(code, parseFenceMeta(code).meta, options.isPreview(code));
    if (isSpecial) fences.set(element, code);
    drawn.set(code, element);
  }
  const html = await unified()
    .use(remarkRehype, {
      passThrough: ["mdxJsxFlowElement", "mdxJsxTextElement"],
      handlers: { code: (_state, code: Code) => drawn.get(code) },
    })
    .run(tree);
  if (html.type !== "root") throw new Error(`Expected a root, got ${html.type}`);
  const renderer = new Renderer(options);
  // A page has no doctype, so the root's children are valid contents of an element.
  return { type: "root", children: renderer.render(html.children as ElementContent[], 1) };
}

const BLOCK_PARENTS = new Set(["ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "section"]);

class Renderer {
  readonly options: RenderOptions;
  readonly tableNames = new Map<string, number>();
  depth = 1;
  heading: string;

  constructor(options: RenderOptions) {
    this.options = options;
    this.heading = options.title;
  }

  render(nodes: readonly ElementContent[], depth = this.depth): ElementContent[] {
    const outer = this.depth;
    this.depth = depth;
    const rendered = nodes.flatMap((node, index) => {
      const isBetween = isBlankText(node) && (isEdge(nodes[index - 1]) || isEdge(nodes[index + 1]));
      return isBetween ? [] : this.renderNode(node);
    });
    if (depth !== outer) this.depth = outer;
    return rendered;
  }

  renderNode(node: ElementContent): ElementContent[] {
    if (isComponentElement(node)) return this.renderComponent(node);
    if (node.type !== "element") return [node];
    const code = fences.get(node);
    if (code) {
      const fence = this.options.components.fences[code.lang ?? ""];
      return fence ? fence.html(code, parseFenceMeta(code).meta, this.context()) : [];
    }
    if (node.tagName === "figure") return [node];
    if (/^h[2-4]$/.test(node.tagName)) return [this.renderHeading(node)];
    const children = BLOCK_PARENTS.has(node.tagName)
      ? this.render(node.children)
      : node.children.flatMap((child) => this.renderNode(child));
    const element = { ...node, children };
    if (node.tagName === "table") return [this.renderTable(element)];
    if (node.tagName === "img") return [this.renderImage(element)];
    if (node.tagName === "th" || node.tagName === "td") alignCell(element);
    return [element];
  }

  renderComponent(
    node: ElementContent & { type: "mdxJsxFlowElement" | "mdxJsxTextElement" },
  ): ElementContent[] {
    const component = this.options.components.elements[node.name ?? ""];
    // An unknown component is already reported; its content is rendered so that the rest of the page can be read.
    if (component?.kind !== "layout") return this.render(node.children);
    const elements = component.html(node, attributesOf(node), this.context());
    for (const element of elements) element.position ??= node.position;
    return elements;
  }

  renderHeading(node: Element): Element {
    const text = toString(node);
    this.depth = Number(node.tagName[1]);
    this.heading = text;
    const id = String(node.properties.id);
    // Its icon comes from the stylesheet (`article-icons.css`).
    const anchor = h("a", { className: ["anchor"], href: `#${id}`, ariaLabel: `Link to ${text}` });
    return { ...node, children: [...node.children.flatMap((child) => this.renderNode(child)), anchor] };
  }

  /** The frame scrolls sideways, so it is focusable and has a name, unique among the page's tables. */
  renderTable(table: Element): Element {
    const count = (this.tableNames.get(this.heading) ?? 0) + 1;
    this.tableNames.set(this.heading, count);
    const ariaLabel = count === 1 ? this.heading : `${this.heading} (${count})`;
    return h("div", { className: ["table-wrap"], tabIndex: 0, role: "region", ariaLabel }, [table]);
  }

  renderImage(image: Element): Element {
    const size = this.options.imageSize(String(image.properties.src ?? ""));
    return { ...image, properties: { ...image.properties, ...size, loading: "lazy" } };
  }

  context(): HtmlContext {
    return {
      depth: this.depth,
      heading: this.heading,
      id: (text) => this.options.slugger.slug(text),
      render: (nodes, depth) => this.render(nodes, depth),
      imageSize: this.options.imageSize,
    };
  }
}

function isBlankText(node: ElementContent): boolean {
  return node.type === "text" && node.value.trim() === "" && node.value.includes("\n");
}

const INLINE = new Set(["a", "code", "em", "strong", "del", "span", "img", "br", "input", "sup", "mark"]);

/** White space next to a block or at its end has no meaning. */
function isEdge(node: ElementContent | undefined): boolean {
  if (!node || isComponentElement(node)) return true;
  return node.type === "element" && !INLINE.has(node.tagName);
}

/** Marks column heads; numbers are right-aligned by a class, because inline styles are not allowed. */
function alignCell(cell: Element): void {
  const { align, ...properties } = cell.properties;
  cell.properties = properties;
  if (align === "right" || align === "center") cell.properties.className = [`is-${align}`];
  if (cell.tagName === "th") cell.properties.scope = "col";
}

/** Regardless of the checks, an address that runs a script never reaches a reader. */
export function removeUnsafeAddresses(root: HtmlRoot): void {
  visit(root, "element", (element) => {
    for (const name of ["href", "src"] as const) {
      const value = element.properties[name];
      // Browsers ignore white space and control characters in a scheme.
      if (typeof value !== "string") continue;
      // eslint-disable-next-line no-control-regex
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value.replace(/[\u0000-\u0020]/g, ""))?.[1]?.toLowerCase();
      if (scheme !== undefined && !["http", "https", "mailto"].includes(scheme))
        delete element.properties[name];
    }
  });
}

/** Makes old anchors lead to the renamed ones without a script. `renamed` maps old to new. */
export function addOldAnchors(root: HtmlRoot, renamed: Readonly<Record<string, string>>): void {
  const olds = Object.entries(renamed);
  if (olds.length === 0) return;
  visit(root, "element", (element) => {
    const anchors = olds
      .filter(([, id]) => id === element.properties.id)
      .map(([old]) => h("span", { id: old }));
    if (anchors.length === 0) return;
    const cell =
      element.tagName === "tr" ? element.children.find((child) => child.type === "element") : undefined;
    (cell ?? element).children.unshift(...anchors);
  });
}
