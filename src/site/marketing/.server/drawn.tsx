/**
 * The marketing pages use the documentation's code blocks. Drawing them is asynchronous, so it
 * happens before React renders: `drawAll` finds them anywhere in the content, and `<Drawn>` shows the result.
 */
import type { Element } from "hast";
import type { Code } from "mdast";
import { createContext, useContext } from "react";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { codeBlock } from "#docs/content/blocks/code-block.ts";
import { parseFenceMeta } from "#docs/content/blocks/fence-meta.ts";
import { hidePlaceholders, restorePlaceholders } from "#docs/content/page/placeholders.ts";
import type { ArtefactOf } from "./artefact-schema.ts";

type Drawable = ArtefactOf<"code">;
type Drawings = Map<unknown, string>;

const DrawingsContext = createContext<Drawings>(new Map());
export const DrawingsProvider = DrawingsContext.Provider;

const writer = unified().use(rehypeStringify).freeze();
/** Highlighting would cut `{{origin}}` into pieces, so it is hidden while code is drawn. */
const toHtml = (children: Element["children"]) =>
  restorePlaceholders(writer.stringify({ type: "root", children }));

/** HTML of one code block, with its copy button. */
async function drawCode(language: string, value: string, meta = ""): Promise<string> {
  const node: Code = { type: "code", lang: language, value: hidePlaceholders(value), meta };
  return toHtml([await codeBlock(node, parseFenceMeta(node).meta)]);
}

/** Draws every code block inside `content`. */
export async function drawAll(content: unknown): Promise<Drawings> {
  const found: Drawable[] = [];
  collect(content, found);
  const html = await Promise.all(found.map((each) => drawCode(each.language, each.text, each.meta)));
  return new Map(found.map((each, index) => [each, html[index] ?? ""]));
}

function collect(value: unknown, found: Drawable[]): void {
  if (typeof value !== "object" || value === null) return;
  if (isDrawable(value)) found.push(value);
  else for (const inner of Object.values(value)) collect(inner, found);
}

function isDrawable(value: object): value is Drawable {
  return "kind" in value && value.kind === "code";
}

export function Drawn({ artefact }: { artefact: Drawable }) {
  const html = useContext(DrawingsContext).get(artefact);
  if (html === undefined) throw new Error("A code block was not drawn before the page.");
  return <div className="drawn" dangerouslySetInnerHTML={{ __html: html }} />;
}
