import type { Root } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { parseFrontMatter, type FrontMatter } from "./front-matter.ts";
import { hidePlaceholders } from "./placeholders.ts";
import type { ProblemList } from "../problem.ts";

const parser = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm).use(remarkMdx).freeze();

export interface ParsedPage {
  frontMatter: FrontMatter | null;
  /** The body without the front matter, with placeholders hidden; null after a syntax error. */
  tree: Root | null;
}

export function parsePage(source: string, problems: ProblemList): ParsedPage {
  const hidden = hidePlaceholders(source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  // Read before the body, so that a mistake in the body does not hide a mistake in the front matter.
  const yaml = /^---\n([\s\S]*?)\n?---(?:\n|$)/.exec(hidden)?.[1];
  const frontMatter = parseFrontMatter(yaml, problems);
  try {
    const tree = parser.parse(hidden);
    tree.children = tree.children.filter((node) => node.type !== "yaml");
    return { frontMatter, tree };
  } catch (error) {
    const { line, reason } = syntaxError(error);
    problems.error(line, "syntax", reason, fixSyntax(hidden.split("\n")[line - 1] ?? "", reason));
    return { frontMatter, tree: null };
  }
}

function syntaxError(error: unknown): { line: number; reason: string } {
  if (!(error instanceof Error)) throw error;
  const line = "line" in error && typeof error.line === "number" ? error.line : 1;
  const place = "place" in error ? lineOfPlace(error.place) : undefined;
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  // At the end of the file, the only position is the opening tag's, which is in the message's text.
  const named = /\((\d+):\d+-\d+:\d+\)/.exec(reason)?.[1];
  return {
    line: place ?? (named ? Number(named) : line),
    reason: (reason.split("\n")[0] ?? reason).replace(/[.:]?$/, "."),
  };
}

function lineOfPlace(place: unknown): number | undefined {
  if (typeof place !== "object" || place === null) return undefined;
  if ("line" in place && typeof place.line === "number") return place.line;
  return "start" in place ? lineOfPlace(place.start) : undefined;
}

/** The corrected line, for the most common mistakes. */
function fixSyntax(line: string, reason: string): string {
  const open = /closing tag for `<([A-Z]\w*)>`/.exec(reason)?.[1];
  if (open !== undefined) return `<${open} …>\n\ncontent, with a blank line before and after\n\n</${open}>`;
  if (line.includes("<!--")) return line.replace(/<!--.*?(-->|$)/g, "").trim() || "(remove the comment)";
  if (/<https?:/.test(line)) return line.replace(/<(https?:[^>\s]+)>/g, "[$1]($1)");
  return line
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/\{[^}]*\}?|<[^>\s]*>?/g, "`$&`")))
    .join("");
}
