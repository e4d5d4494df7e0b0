/**
 * The source of a page, cut at its `##` headings, for translations by section. Text only: nothing is parsed, so that a mistake
 * in one section does not hide the others.
 */
import { createHash } from "node:crypto";

export interface SourceSection {
  /** Text after `## `; "" for the text before the first heading. */
  heading: string;
  /** Everything below the heading. */
  body: string;
}

export interface PageSource {
  /** Between the dashes. */
  frontMatter: string;
  /** The first is the text before the first heading. */
  sections: SourceSection[];
}

/** A fenced code block: indentation, fence, info string, body. */
const FENCE = /^([ \t]*)(`{3,})([^\n`]*)\n((?:(?!\1\2)[^\n]*\n)*)\1\2[ \t]*$/gm;
const HASH_LENGTH = 8;

export function readPageSource(source: string): PageSource {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [head = "", frontMatter = ""] = /^---\n([\s\S]*?)\n?---(?:\n|$)/.exec(text) ?? [];
  const sections: SourceSection[] = [{ heading: "", body: "" }];
  let fence = "";
  for (const line of text.slice(head.length).split("\n")) {
    const opened = /^[ \t]*(`{3,})/.exec(line)?.[1];
    if (opened && fence === "") fence = opened;
    else if (opened && opened.length >= fence.length && line.trim() === opened) fence = "";
    if (fence === "" && line.startsWith("## ")) sections.push({ heading: line.slice(3).trim(), body: "" });
    else sections.at(-1)!.body += `${line}\n`;
  }
  return { frontMatter, sections };
}

/** Changes when a translator has work: with every word of the section, not with its code, which both languages share. */
export function hashSection({ heading, body }: SourceSection): string {
  const prose = body.replace(FENCE, (_all, _indent, _fence, info: string) => `\`\`\`${info.trim()}`);
  const text = `${heading}\n${prose}`.replaceAll(/\s+/g, " ").trim();
  return createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);
}

/** Headings, blocks and rows in their order, and what may move inside a sentence, sorted: equal in both languages. */
export function shapeOf(body: string): string {
  const prose = body.replace(FENCE, "```");
  const blocks = prose.match(/^(?:#{3,4} |```|\||<\/?[A-Z]\w*)/gm) ?? [];
  const inline = prose.match(/(?<!^)<[A-Z]\w*/gm) ?? [];
  return [...blocks, ...inline.toSorted()].map((part) => part.trim()).join(" ");
}

/** Puts the code blocks of the original into a translation's empty ones. @returns null if it has more or fewer blocks */
export function shareCode(original: string, translated: string): string | null {
  const blocks = [...original.matchAll(FENCE)].map(readBlock);
  let count = 0;
  const text = translated.replace(FENCE, (...found: unknown[]) => {
    const own = readBlock(found);
    const block = blocks[count++];
    if (!block || own.code.trim() !== "") return own.all;
    return `${block.indent}${block.fence}${own.info || block.info}\n${block.code}${block.indent}${block.fence}`;
  });
  return count === blocks.length ? text : null;
}

/** The groups of a match. */
function readBlock(found: readonly unknown[]) {
  const [all = "", indent = "", fence = "", info = "", code = ""] = found.map(String);
  return { all, indent, fence, info: info.trim(), code };
}
