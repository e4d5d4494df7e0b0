/** Tables: the widths of their columns, and whether the names of their rows can be read and pressed. */
import type { Locator, Page } from "@playwright/test";

/** Pixels of each column, by its head. */
export const columnsOf = (table: Locator): Promise<number[]> =>
  table
    .locator("thead th")
    .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().width)));

/** Width of the narrowest name's cell among the rows of all tables; Infinity where there is none. */
export const narrowestName = (page: Page): Promise<number> =>
  page
    .locator("table.table > tbody > tr > .main-column")
    .evaluateAll((cells) =>
      Math.min(
        ...cells.filter((cell) => cell.checkVisibility()).map((cell) => cell.getBoundingClientRect().width),
      ),
    );

/** Names in the window that something else covers: pressed in their middle, or at either end, they would not open. */
export const coveredNames = (table: Locator): Promise<string[]> =>
  table.locator("tbody th a").evaluateAll((links) =>
    links
      .filter((link) => {
        const { left, right, top, bottom } = link.getBoundingClientRect();
        const [head, foot] = [50 + 40, innerHeight - 50];
        if (top < head || bottom > foot) return false;
        const y = (top + bottom) / 2;
        return [left + 2, (left + right) / 2, right - 2].some((x) => {
          const hit = document.elementFromPoint(x, y);
          return !hit || !(link.contains(hit) || hit.contains(link));
        });
      })
      .map(({ textContent }) => textContent),
  );

/** Cells whose text is longer than they are and does not end in dots: it would cover the next cell, or be misread. */
export const cutFigures = (table: Locator): Promise<string[]> =>
  table
    .locator("thead th, tbody td.align-right, tbody td.narrow-right")
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map(({ textContent }) => textContent),
    );

/** Names of rows that reach over the next column. */
export const spilledNames = (page: Page): Promise<string[]> =>
  page
    .locator("table.table > tbody > tr > th > *")
    .evaluateAll((names) =>
      names
        .filter(
          (name) =>
            name.getBoundingClientRect().right > (name.parentElement?.getBoundingClientRect().right ?? 0) + 1,
        )
        .map(({ textContent }) => textContent),
    );
