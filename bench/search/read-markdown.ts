/**
 * A folder of Markdown → records as DocSearch has them, and the links between its pages. The path is the address:
 * numbers that only sort (`01-install.md`), extensions and `index` are dropped.
 *
 *   guides/01-install.md     # Install, ## From source, text     →  page /guides/install, section Guides
 *
 * Code blocks are left out, inline code is kept. MDX tags are left out, text between them is kept.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import GithubSlugger from "github-slugger";
import type { Nodes, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { parse as parseYaml } from "yaml";
import type { CorpusRecord } from "./corpus.ts";

export interface MarkdownLink {
  text: string;
  /** Address of a page of the folder, with `#anchor` if the link has one. */
  to: string;
}

export interface MarkdownSite {
  records: CorpusRecord[];
  links: MarkdownLink[];
}

const ORIGIN = "https://corpus.example";
const NONE = "null";
const parser = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm);

export function readMarkdownFolder(folder: string): MarkdownSite {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.mdx?$/.test(file))
    .sort();
  const site: MarkdownSite = { records: [], links: [] };
  const written: { text: string; target: string; page: string }[] = [];
  for (const file of files) {
    const page = addressOf(relative(folder, join(folder, file)));
    const tree = parser.parse(
      readFileSync(join(folder, file), "utf8").replace(/^(?:import|export) .*$/gm, ""),
    );
    site.records.push(...recordsOf(tree, page));
    visit(tree, "link", (link) => {
      written.push({ text: textOf(link), target: link.url, page });
    });
  }
  const urls = new Set(site.records.map(({ url }) => url));
  for (const { text, target, page } of written) {
    const to = resolveLink(target, page, urls);
    if (to !== null) site.links.push({ text, to });
  }
  return site;
}

function addressOf(path: string): string {
  const parts = path
    .replace(/\.mdx?$/, "")
    .split(/[\\/]/)
    .map((part) => part.replace(/^\d+[-_.]/, ""));
  if (/^(?:index|readme)$/i.test(parts.at(-1)!)) parts.pop();
  return `${ORIGIN}/${parts.join("/").toLowerCase()}`;
}

/** Relative to the page, or absolute after the site's mount path; null if it leads elsewhere. */
function resolveLink(target: string, page: string, urls: ReadonlySet<string>): string | null {
  if (/^\w+:|^\/\//.test(target)) return null;
  const [path = "", anchor] = target.split("#");
  const find = (address: string) => {
    const whole = anchor ? `${address}#${anchor.toLowerCase()}` : address;
    return urls.has(whole) ? whole : urls.has(address) && !anchor ? address : null;
  };
  if (path === "") return find(page);
  const plain = path.replace(/\/$/, "");
  if (!plain.startsWith("/")) {
    const base = new URL(`${page.replace(/\/[^/]*$/, "")}/`);
    return find(addressOf(new URL(plain, base).pathname.slice(1)));
  }
  return find(addressOf(plain.slice(1))) ?? find(addressOf(plain.slice(1).replace(/^[^/]+\/?/, "")));
}

function recordsOf(tree: Root, page: string): CorpusRecord[] {
  const slugger = new GithubSlugger();
  const part = page
    .slice(ORIGIN.length + 1)
    .split("/")[0]!
    .replaceAll("-", " ");
  const levels: string[] = [part, titleOf(tree) ?? part];
  const records: CorpusRecord[] = [];
  let anchor = "";
  const add = (type: string, content: string) => {
    const url = anchor === "" ? page : `${page}#${anchor}`;
    const names = [0, 1, 2, 3, 4].map((level) => [`hierarchy_lvl${level}`, levels[level] ?? NONE]);
    const objectID = `${page.slice(ORIGIN.length)}-${records.length}`;
    records.push({ objectID, url, anchor, ...Object.fromEntries(names), content, type });
  };
  add("lvl1", NONE);
  for (const node of tree.children) {
    if (node.type !== "heading") for (const text of textsOf(node)) add("content", text);
    else if (node.depth > 1) {
      // A heading below the fourth level counts as one of the fourth.
      const level = Math.min(node.depth, 4);
      const text = textOf(node);
      if (text === "") continue;
      levels.length = Math.min(levels.length, level);
      levels[level] = text;
      anchor = slugger.slug(text);
      add(`lvl${level}`, NONE);
    }
  }
  return records;
}

function titleOf(tree: Root): string | null {
  const [first] = tree.children;
  const front: unknown = first?.type === "yaml" ? parseYaml(first.value) : null;
  if (front && typeof front === "object" && "title" in front && typeof front.title === "string")
    return front.title;
  const heading = tree.children.find((node) => node.type === "heading" && node.depth === 1);
  return heading ? textOf(heading) : null;
}

/** One text per paragraph, list item and table row. */
function textsOf(node: Nodes): string[] {
  if (node.type === "paragraph") return [textOf(node)].filter((text) => text !== "");
  if (node.type === "tableRow") return [node.children.map(textOf).join(" ")];
  return "children" in node ? node.children.flatMap(textsOf) : [];
}

function textOf(node: Nodes): string {
  return toString(node, { includeHtml: false, includeImageAlt: false }).replace(/\s+/g, " ").trim();
}
