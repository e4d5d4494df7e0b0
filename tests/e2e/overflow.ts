import type { Page } from "@playwright/test";

/**
 * Pixels by which the page is wider than the screen. Not measured against `innerWidth`: on a phone that grows with the
 * overflow, so that the difference stays 0.
 */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
