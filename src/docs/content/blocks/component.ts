/** The interface of components for authors (`<Callout>`, a `diagram` fence). The components are in `src/docs/components/`. */
import type { Element, ElementContent } from "hast";
import type { BlockContent, Code, DefinitionContent, PhrasingContent, RootContent } from "mdast";
import type {
  MdxJsxFlowElement,
  MdxJsxFlowElementHast,
  MdxJsxTextElement,
  MdxJsxTextElementHast,
} from "mdast-util-mdx-jsx";
import type { Facts } from "../facts/facts.ts";

export type ComponentNode = MdxJsxFlowElement | MdxJsxTextElement;
export type ComponentElement = MdxJsxFlowElementHast | MdxJsxTextElementHast;
export type Attributes = Record<string, string>;
export type MarkdownNode = RootContent | BlockContent | DefinitionContent | PhrasingContent;

export interface AttributeRule {
  required?: boolean;
  /** The only allowed values. */
  values?: readonly string[];
  /** `link`: an address, checked like every link. `image`: the address of an image. */
  kind?: "link" | "image";
}

interface ComponentRules {
  attributes: Record<string, AttributeRule>;
  /** `blocks`: Markdown blocks; `none`: it is written `<Name />`. */
  content: "blocks" | "none";
  /** The component that must be its parent. */
  parent?: string;
  /** The only component that may be its child. */
  only?: string;
  /** How to write it, for the message that corrects a mistake. */
  example: string;
}

/** Arranges its children: hast to hast, and the same for Markdown. */
export interface LayoutComponent extends ComponentRules {
  kind: "layout";
  html(element: ComponentElement, attributes: Attributes, context: HtmlContext): ElementContent[];
  markdown(node: ComponentNode, attributes: Attributes, context: MarkdownContext): MarkdownNode[];
}

/** Shows facts: becomes Markdown (mostly a table) before anything else happens. */
export interface FactComponent extends ComponentRules {
  kind: "fact";
  /** Whether it gives inline Markdown, and may be used in a sentence. */
  inline: boolean;
  /**
   * @param claim returns an unused anchor of the page: the first one, or the second if the first is taken.
   * @throws FactError if the fact does not exist.
   */
  expand(
    attributes: Attributes,
    facts: Facts,
    claim: (id: string, otherwise: string) => string,
  ): MarkdownNode[];
}

/** A fenced block with a language of its own. */
export interface Fence {
  html(code: Code, meta: FenceMeta, context: HtmlContext): ElementContent[];
  markdown(code: Code, meta: FenceMeta): MarkdownNode[];
  /** Its mistakes: the line inside the block (from 1), and the correction. */
  check(code: Code, meta: FenceMeta): { line: number; message: string; fix: string }[];
}

export interface Components {
  elements: Record<string, LayoutComponent | FactComponent>;
  fences: Record<string, Fence>;
}

/** The words after the language of a fence. */
export interface FenceMeta {
  title: string | null;
  caption: string | null;
  diff: boolean;
  /** Numbers of marked lines, from 1. */
  marked: Set<number>;
}

export interface HtmlContext {
  /** Depth of the heading above the component; 1 before the first heading. */
  depth: number;
  /** Text of that heading; the page's title before the first heading. */
  heading: string;
  /** Makes an id from a text, unique in the page. */
  id(text: string): string;
  /** Renders children. With `depth`, as if under a heading of that depth. */
  render(nodes: readonly ElementContent[], depth?: number): ElementContent[];
  /** Size in pixels of an image of the site; null if it is unknown. */
  imageSize(src: string): { width: number; height: number } | null;
}

export interface MarkdownContext {
  depth: number;
  render(nodes: readonly MarkdownNode[], depth?: number): MarkdownNode[];
}

/** Thrown if a component requests a fact that does not exist. */
export class FactError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** `<svg class="icon">` that shows a Lucide icon of the sprite. */
export function icon(name: string): Element {
  return {
    type: "element",
    tagName: "svg",
    properties: { className: ["icon"], ariaHidden: "true" },
    children: [
      { type: "element", tagName: "use", properties: { href: `{{sprite}}#l-${name}` }, children: [] },
    ],
  };
}
