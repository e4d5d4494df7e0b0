import type { Page } from "@playwright/test";

/** Moves the reader's pointer and waits until React runs. */
export async function hydrate(page: Page) {
  await page.dispatchEvent("body", "pointerover");
  await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
}
