import { createHash } from "node:crypto";
import type { Block, Page } from "../types.ts";

/**
 * A page's sections, each with a hash of its text: `["", "h3Xa"]` is the text before the first heading,
 * `["limits", "9kQ2"]` the section with this anchor. A reader's browser stores the hashes, so that at the next
 * visit the page can show what has changed since (`src/site/docs/late/changes/`). The text decides, not the date of a commit:
 * a site is built later than it is written, sometimes from a copy without a history, and values come from the facts.
 */
export type PageSections = [anchor: string, hash: string][];

/** Four characters: one change in sixteen million is missed. */
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
