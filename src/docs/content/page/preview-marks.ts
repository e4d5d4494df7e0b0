/**
 * The mark "Preview" on parts that do not run yet, on pages about parts that run. Each section, question, item and row has it
 * once per part: where an author wrote `<Preview part="…" />`, or else at the first link to a page of the part or at the first
 * of its names. Each card has its own mark.
 */
import type { PhrasingContent, Root, Text } from "mdast";
import { toString } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { availabilityOf } from "./availability.ts";
import type { MarkdownNode } from "../blocks/component.ts";
import { attributesOf, isComponent } from "../blocks/component-nodes.ts";
import type { Facts } from "../facts/facts.ts";

/** Pages about parts that do not run yet: the path and its part. */
export type PagesToCome = ReadonlyMap<string, string>;

declare module "mdast" {
  interface EmphasisData {
    /** On a mark: the part that does not run yet. */
    part?: string;
  }
}

export function previewMark(part: string): PhrasingContent {
  const mark = { hName: "span", hProperties: { className: ["preview"] }, part };
  return { type: "emphasis", data: mark, children: [{ type: "text", value: "Preview" }] };
}

interface Finder {
  pages: PagesToCome;
  /** A part and its name in a text, singular or plural. */
  names: { part: string; pattern: RegExp }[];
}

/** The facts of `tree` are expanded. */
export function markParts(tree: Root, facts: Facts, pages: PagesToCome = new Map()): void {
  const waiting = facts.parts.parts.filter(({ id }) => availabilityOf(id, facts) === "preview");
  const names = waiting.flatMap(({ id, names: own }) =>
    own.map((name) => ({ part: id, pattern: new RegExp(`\\b${name}s?\\b`, "i") })),
  );
  if (waiting.length > 0) markIn(tree, new Set(), { pages, names });
}

type Node = MarkdownNode | Root;

/** @param said parts that are already marked at this point of the page. */
function markIn(node: Node, said: Set<string>, finder: Finder): void {
  if (!("children" in node)) return;
  if (node.type === "paragraph" || node.type === "tableRow") addWritten(node, said);
  let seen = said;
  const children = (node.children as MarkdownNode[]).flatMap((child): MarkdownNode[] => {
    if (child.type === "heading") seen = new Set();
    if (child.type === "heading" || isMark(child)) return [child];
    if (child.type === "text") return markText(child, seen, finder);
    if (child.type === "link") return markLink(child, seen, finder);
    if (isComponent(child) && child.name === "Card") return [markCard(child, finder)];
    const isApart = isComponent(child) || child.type === "listItem" || child.type === "tableRow";
    markIn(child, isApart ? new Set(seen) : seen, finder);
    return [child];
  });
  Object.assign(node, { children });
}

const isMark = (node: Node) => node.type === "emphasis" && node.data?.part !== undefined;

/** Adds parts that authors or tables of facts have marked. */
function addWritten(node: Node, said: Set<string>): void {
  visit(node, "emphasis", ({ data }) => {
    if (data?.part !== undefined) said.add(data.part);
  });
}

function markLink(link: MarkdownNode & { type: "link" }, said: Set<string>, finder: Finder): MarkdownNode[] {
  const part = partOfPage(link.url, finder) ?? nextName(toString(link), said, finder)?.part;
  if (part === undefined || said.has(part)) return [link];
  said.add(part);
  return [link, { type: "text", value: " " }, previewMark(part)];
}

function markText(text: Text, said: Set<string>, finder: Finder): MarkdownNode[] {
  const found = nextName(text.value, said, finder);
  if (!found) return [text];
  said.add(found.part);
  const before: Text = { ...text, value: `${text.value.slice(0, found.end)} ` };
  const rest = markText({ ...text, value: text.value.slice(found.end) }, said, finder);
  return [before, previewMark(found.part), ...rest];
}

/** The whole card is a link, so the mark is in its title: see `cards.ts`. */
function markCard(card: MarkdownNode, finder: Finder): MarkdownNode {
  if (!isComponent(card) || partOfPage(attributesOf(card).href ?? "", finder) === undefined) return card;
  const isToCome = { type: "mdxJsxAttribute" as const, name: "isToCome", value: "" };
  return { ...card, attributes: [...card.attributes, isToCome] };
}

function partOfPage(url: string, { pages }: Finder): string | undefined {
  return pages.get(url.replace(/[?#].*$/s, ""));
}

function nextName(text: string, said: ReadonlySet<string>, { names }: Finder) {
  return names
    .filter(({ part }) => !said.has(part))
    .flatMap(({ part, pattern }) => {
      const match = pattern.exec(text);
      return match ? [{ part, end: match.index + match[0].length }] : [];
    })
    .sort((a, b) => a.end - b.end)[0];
}
