import { createHash } from "node:crypto";
import type { Block, Page } from "./types.ts";

/**
 * A page's sections, each with what tells one text from another: `["", "h3Xa"]` is what stands before the first heading,
 * `["limits", "9kQ2"]` the section with this anchor. A reader's browser remembers the second of each, so that at the next
 * visit the page can say what has changed since (`src/site/docs/late/changes/`). The text decides, not the day of a commit:
 * a site is built later than it is written, sometimes from a copy without a history, and values come from the facts.
 */
export type PageSections = [anchor: string, hash: string][];

/** Four characters: one change of sixteen million goes unnoticed. */
const HASH_LENGTH = 4;

export function sectionsOf({
  title,
  description,
  blocks,
}: Pick<Page, "title" | "description" | "blocks">): PageSections {
  const depths = blocks.flatMap((block) => (block.kind === "heading" ? [block.depth] : []));
  const top = Math.min(...depths);
  const sections: { anchor: string; blocks: Block[] }[] = [{ anchor: "", blocks: [] }];
  for (const block of blocks) {
    if (block.kind === "heading" && block.depth === top) sections.push({ anchor: block.id, blocks: [] });
    sections.at(-1)?.blocks.push(block);
  }
  return sections.map((section) => [
    section.anchor,
    hashOf(section.anchor === "" ? [title, description, section.blocks] : section.blocks),
  ]);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, HASH_LENGTH);
}
