/** Rendered HTML tree → data about a page for the rest of the site: text, headings, anchors, links, images. */
import type { Element, ElementContent, Root } from "hast";
import type { Block, Heading, PageImage, PageLink } from "../types.ts";

export interface Extract {
  headings: Heading[];
  blocks: Block[];
  anchors: string[];
  links: PageLink[];
  images: PageImage[];
}

/** Returns the value of the setup that a tab stands for, if any. */
type TabReader = (group: string, label: string) => string | undefined;

interface Collected extends Extract {
  readerOf: TabReader;
}

export function extractPage(root: Root, readerOf: TabReader = () => undefined): Extract {
  const extract: Extract = { headings: [], blocks: [], anchors: [], links: [], images: [] };
  collectBlocks(root.children, { ...extract, readerOf });
  collectTargets(root, 1, extract);
  return extract;
}

function hasClass(element: Element, name: string): boolean {
  return Array.isArray(element.properties.className) && element.properties.className.includes(name);
}

const SKIPPED = new Set(["svg", "button", "input"]);

/** Whether a node is not part of the article's text: controls, and elements above or next to a code block. */
function isAside(node: Element): boolean {
  return SKIPPED.has(node.tagName) || hasClass(node, "code-head") || hasClass(node, "preview");
}

function collectBlocks(nodes: readonly Root["children"][number][], extract: Collected): void {
  for (const node of nodes) {
    if (node.type === "text" && node.value.trim() !== "") addBlock(extract, "paragraph", node.value);
    if (node.type !== "element" || isAside(node)) continue;
    if (/^h[2-4]$/.test(node.tagName)) addHeading(node, extract);
    else if (node.tagName === "pre") addCode(node, extract);
    else if (node.tagName === "table") addTable(node, extract);
    else if (node.tagName === "p" || node.tagName === "figcaption")
      addBlock(extract, "paragraph", textOf(node));
    else if (hasClass(node, "cards")) addCards(node, extract);
    else if (hasClass(node, "tabs")) addTabs(node, extract);
    else if (isList(node)) addList(node, extract);
    else if (isInline(node)) addBlock(extract, "paragraph", textOf(node));
    else
      collectBlocks(
        node.children.map((child) => withTitle(child, node)),
        extract,
      );
  }
}

const titles = new WeakMap<Element, string>();

/** Passes the file name in a code block's head to its `pre`. */
function withTitle(child: ElementContent, parent: Element): ElementContent {
  if (child.type !== "element" || child.tagName !== "pre") return child;
  const head = elements(parent).find((node) => hasClass(node, "code-head"));
  const file = head && elements(head).find((node) => hasClass(node, "code-file"));
  if (file) titles.set(child, textOf(file).trim());
  return child;
}

function isInline(node: Element): boolean {
  return ["a", "span", "code", "em", "strong", "del"].includes(node.tagName);
}

function isList(node: Element): boolean {
  return (node.tagName === "ul" || node.tagName === "ol") && !hasClass(node, "steps");
}

function addBlock(extract: Extract, kind: "paragraph" | "list", text: string): void {
  const trimmed = kind === "list" ? text : oneLine(text);
  if (trimmed !== "") extract.blocks.push({ kind, text: trimmed });
}

function addHeading(node: Element, extract: Extract): void {
  const depth = Number(node.tagName[1]);
  const text = oneLine(textOf(node));
  if (typeof node.properties.id !== "string") {
    addBlock(extract, "paragraph", text);
    return;
  }
  const heading = { depth, id: node.properties.id, text };
  extract.blocks.push({ kind: "heading", ...heading });
  if (!hasClass(node, "step-title")) extract.headings.push(heading);
}

function addCode(pre: Element, extract: Extract): void {
  const text = textOf(pre).replace(/\s+$/, "");
  if (text !== "") extract.blocks.push({ kind: "code", text, title: titles.get(pre) ?? null });
}

function addTable(table: Element, extract: Extract): void {
  const rows = elements(table).flatMap((part) =>
    elements(part).map((row) => ({
      isHead: part.tagName === "thead",
      id: typeof row.properties.id === "string" ? row.properties.id : null,
      cells: elements(row).map((cell) => oneLine(textOf(cell))),
    })),
  );
  extract.blocks.push({
    kind: "table",
    text: rows.map(({ cells }) => cells.join(" | ")).join("\n"),
    columns: rows.find(({ isHead }) => isHead)?.cells ?? [],
    rows: rows.filter(({ isHead }) => !isHead).map(({ id, cells }) => ({ id, cells })),
  });
}

function addCards(cards: Element, extract: Extract): void {
  const lines = elements(cards).map((card) =>
    elements(card)
      .map((part) => oneLine(textOf(part)))
      .filter(Boolean)
      .join(": "),
  );
  addBlock(extract, "list", lines.join("\n"));
}

/** If a tab stands for a value of the setup, its content is for readers who chose that value. */
function addTabs(tabs: Element, extract: Collected): void {
  const [list, ...panels] = elements(tabs);
  // Controls are not text, so `textOf` would omit the labels.
  const labels = list ? elements(list).map((tab) => tab.children.map(nodeText).join("")) : [];
  panels.forEach((panel, index) => {
    const start = extract.blocks.length;
    collectBlocks(panel.children, extract);
    const reader = extract.readerOf(String(tabs.properties.dataGroup ?? ""), labels[index] ?? "");
    if (reader === undefined) return;
    for (const block of extract.blocks.slice(start)) block.for = [...(block.for ?? []), reader];
  });
}

/** A line for each item; code blocks and tables inside the items follow the list as separate blocks. */
function addList(list: Element, extract: Collected): void {
  const inner: Element[] = [];
  const lines = listLines(list, "", inner);
  addBlock(extract, "list", lines.join("\n"));
  collectBlocks(inner, extract);
}

function listLines(list: Element, indent: string, inner: Element[]): string[] {
  return elements(list).flatMap((item) => {
    const isLater = (node: ElementContent): node is Element =>
      node.type === "element" && (isList(node) || node.tagName === "figure" || hasClass(node, "table-wrap"));
    const own = oneLine(
      item.children
        .filter((child) => !isLater(child))
        .map((child) => nodeText(child))
        .join(" "),
    );
    const later = item.children.filter(isLater);
    inner.push(...later.filter((node) => !isList(node)));
    return [
      `${indent}${own}`,
      ...later.filter(isList).flatMap((nested) => listLines(nested, `${indent}  `, inner)),
    ];
  });
}

function elements(parent: Element): Element[] {
  return parent.children.filter((child) => child.type === "element");
}

/** The text that a reader sees, without icons, anchors, prompts and controls. */
function textOf(element: Element): string {
  if (SKIPPED.has(element.tagName) || hasClass(element, "anchor") || hasClass(element, "prompt")) return "";
  if (element.tagName === "br") return " ";
  // Text has no frame around the mark.
  if (hasClass(element, "preview")) return "(Preview)";
  if (element.tagName === "img") return String(element.properties.alt ?? "");
  return element.children.map((child) => nodeText(child)).join("");
}

function nodeText(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? textOf(node) : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function collectTargets(node: Root | Element, line: number, extract: Extract): void {
  for (const child of node.children) {
    if (child.type !== "element") continue;
    const own = child.position?.start.line ?? line;
    const { id, href, src, role } = child.properties;
    if (typeof id === "string" && role !== "tab" && role !== "tabpanel") extract.anchors.push(id);
    if (child.tagName === "a" && typeof href === "string" && !hasClass(child, "anchor")) {
      extract.links.push({ href, line: own });
    }
    if (child.tagName === "img" && typeof src === "string") extract.images.push({ src, line: own });
    collectTargets(child, own, extract);
  }
}
