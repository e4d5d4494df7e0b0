import type { ContentProblem, Page } from "../types.ts";

/** The number of pages of a section that may begin alike, or end under the same heading; more read like a filled-in form. */
const MOST_ALIKE = 9;

/** Finds pages that begin or end with the same words, counted per section: `/docs/<section>/…`. */
export function checkVariety(pages: readonly Page[]): ContentProblem[] {
  const openings = pages.map((page) => ({ page, words: openingOf(page) }));
  const endings = pages
    .filter(({ headings }) => headings.some(({ depth, text }) => depth === 2 && text === "Undo"))
    .map((page) => ({ page, words: "Undo" }));
  return [
    ...beyond(
      openings,
      (words) => `open with "${words}". Say what this page's reader will have in its own words.`,
    ),
    ...beyond(endings, (words) => `have the heading "${words}". Name what is undone.`),
  ];
}

/** The first three words: enough to show the form, too few to show the subject. */
function openingOf({ prose }: Page): string {
  return (prose[0]?.text ?? "").split(/\s+/).slice(0, 3).join(" ");
}

function beyond(
  uses: readonly { page: Page; words: string }[],
  say: (words: string) => string,
): ContentProblem[] {
  const alike = Map.groupBy(
    uses.filter(({ words }) => words !== ""),
    ({ page, words }) => `${page.path.split("/")[2] ?? ""} ${words}`,
  );
  return [...alike.values()].flatMap((group) =>
    group.slice(MOST_ALIKE).map(({ page, words }): ContentProblem => {
      const message = `${group.length} pages of this section ${say(words)}`;
      return { file: page.file, line: 1, rule: "variety", severity: "error", message, fix: "<another form>" };
    }),
  );
}
