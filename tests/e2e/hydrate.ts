import type { Page } from "@playwright/test";

/** Moves the reader's pointer and waits until React runs. */
export async function hydrate(page: Page) {
  for (const screenX of [1, 2]) await page.dispatchEvent("body", "pointermove", { screenX });
  await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
}
