/**
 * Prose that is on two pages drifts apart when one page is corrected. Every run of 13 words is looked up among the runs
 * of the earlier pages; neighbouring runs are one finding.
 */
import type { ContentProblem, Page } from "../types.ts";

/** The longest run of words that two pages may share. */
const LONGEST_RUN = 12;

export function checkDuplicates(pages: readonly Page[]): ContentProblem[] {
  const seen = new Map<string, { page: Page; line: number }>();
  return pages.flatMap((page) =>
    page.prose.flatMap(({ text, line }): ContentProblem[] => {
      const words = text.split(/\s+/);
      const plain = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}`…-]/gu, ""));
      let shared: { from: number; to: number; other: { page: Page; line: number } } | undefined;
      for (let start = 0; start + LONGEST_RUN < words.length; start += 1) {
        const run = plain.slice(start, start + LONGEST_RUN + 1).join(" ");
        const other = seen.get(run);
        if (!other) seen.set(run, { page, line });
        else if (other.page !== page && !shared) shared = { from: start, to: start + LONGEST_RUN + 1, other };
        else if (other.page !== page && shared) shared.to = start + LONGEST_RUN + 1;
      }
      if (!shared) return [];
      const { file } = shared.other.page;
      const message = `${shared.to - shared.from} consecutive words also appear in ${file}:${shared.other.line}.`;
      const fix = `Say it there and link to it: "${words.slice(shared.from, shared.to).join(" ")}"`;
      return [{ file: page.file, line, rule: "duplicate", severity: "error", message, fix }];
    }),
  );
}
