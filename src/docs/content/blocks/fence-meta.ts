import type { Code } from "mdast";
import type { FenceMeta } from "./component.ts";

/**
 * Reads the words after a fence's language: `title="a.yml" caption="…" diff {3,5-7}`.
 * `unknown` has the words without a meaning.
 */
export function parseFenceMeta(code: Code): { meta: FenceMeta; unknown: string[] } {
  const meta: FenceMeta = { title: null, caption: null, diff: false, marked: new Set() };
  const unknown: string[] = [];
  for (const [part, name, value] of (code.meta ?? "").matchAll(/(\w+)="([^"]*)"|\{[^}]*\}|\S+/g)) {
    if (name === "title" && value) meta.title = value;
    else if (name === "caption" && value) meta.caption = value;
    else if (part === "diff") meta.diff = true;
    else if (/^\{\s*\d+(\s*-\s*\d+)?(\s*,\s*\d+(\s*-\s*\d+)?)*\s*\}$/.test(part))
      markLines(part, meta.marked);
    else unknown.push(part);
  }
  return { meta, unknown };
}

function markLines(ranges: string, marked: Set<number>): void {
  for (const [, from, to] of ranges.matchAll(/(\d+)(?:\s*-\s*(\d+))?/g)) {
    for (let line = Number(from); line <= Math.min(Number(to ?? from), Number(from) + 1000); line += 1) {
      marked.add(line);
    }
  }
}
