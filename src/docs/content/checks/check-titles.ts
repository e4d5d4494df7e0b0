import type { ContentProblem, Page } from "../types.ts";

/** Two pages with the same title or description cannot be distinguished in search results. */
export function checkTitles(pages: readonly Page[]): ContentProblem[] {
  return (["title", "description"] as const).flatMap((field) => {
    const first = new Map<string, Page>();
    return pages.flatMap((page): ContentProblem[] => {
      const other = first.get(page[field].toLowerCase());
      if (!other) {
        first.set(page[field].toLowerCase(), page);
        return [];
      }
      const message = `${other.file} has the same ${field}.`;
      const fix = `${field}: ${page[field]} <say what is different here>`;
      return [{ file: page.file, line: 2, rule: `same-${field}`, severity: "error", message, fix }];
    });
  });
}
