/**
 * Finds a page's anchors in its Markdown, which has none: each heading and step of the article is searched in the
 * Markdown, in the article's order.
 *
 *     blocks      heading "Eviction" #eviction      Markdown   ## Eviction          ← #eviction
 *                 table row #size                              | `size` | … |       ← #size is part of it
 *                 heading "Change it" #change-it               1. **Change it**     ← #change-it
 */
import type { Page } from "../content/types.ts";

export interface Section {
  /** Its anchor. */
  id: string;
  title: string;
  /** The start and end of its Markdown. */
  start: number;
  end: number;
}

/** A line of the Markdown that may be a heading of the article. */
interface Mark {
  /** 1 to 6; a step is deeper than all headings. */
  depth: number;
  key: string;
  at: number;
}

const STEP_DEPTH = 7;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const HEADING = /^(#{1,6}) (.+)$/;
const STEP = /^\d+\. \*\*(.+)\*\*$/;

/** The sections of the Markdown, in their order. A heading that the Markdown does not have is left out. */
export function findSections({ markdown, blocks }: Pick<Page, "markdown" | "blocks">): Section[] {
  const marks = listMarks(markdown);
  const sections: Section[] = [];
  let from = 0;
  for (const block of blocks) {
    if (block.kind !== "heading") continue;
    const key = keyOf(block.text);
    const isSame = (mark: Mark, at: number) => at >= from && mark.key === key;
    // The label of a tab may have the same words, but is deeper.
    const exact = marks.findIndex((mark, at) => isSame(mark, at) && mark.depth === block.depth);
    const place = exact >= 0 ? exact : marks.findIndex(isSame);
    const mark = marks[place];
    if (!mark) continue;
    const next = marks.slice(place + 1).find(({ depth }) => depth <= mark.depth);
    const end = next?.at ?? markdown.length;
    sections.push({ id: block.id, title: block.text, start: mark.at, end });
    from = place + 1;
  }
  return sections;
}

/** @returns the anchor of the section that contains an anchor: the anchor itself, or the section of a table row */
export function sectionOfAnchor({ blocks }: Pick<Page, "blocks">, anchor: string): string | null {
  let heading: string | null = null;
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (block.id === anchor) return anchor;
      heading = block.id;
    } else if (block.kind === "table" && block.rows.some(({ id }) => id === anchor)) return heading;
  }
  return null;
}

function listMarks(markdown: string): Mark[] {
  const marks: Mark[] = [];
  let fence: string | null = null;
  let at = 0;
  for (const line of markdown.split("\n")) {
    const [, ticks, rest] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (ticks?.startsWith(fence) && rest?.trim() === "") fence = null;
    } else if (ticks !== undefined) fence = ticks;
    else {
      const [, signs = "", title] = HEADING.exec(line) ?? [];
      const step = STEP.exec(line)?.[1];
      if (title !== undefined) marks.push({ depth: signs.length, key: keyOf(title), at });
      else if (step !== undefined) marks.push({ depth: STEP_DEPTH, key: keyOf(step), at });
    }
    at += line.length + 1;
  }
  return marks;
}

/** Letters and digits, which a heading and its Markdown have in common. */
const keyOf = (text: string): string =>
  text
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
