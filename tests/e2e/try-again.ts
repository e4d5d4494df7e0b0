import type { Locator, Page } from "@playwright/test";

/**
 * Presses "Try again". A page whose answer failed asks again by itself after eight seconds, and has no button while it asks:
 * on a busy machine it may just have done so, and what is awaited comes without the press.
 */
export const tryAgain = (place: Page | Locator) =>
  place
    .getByRole("button", { name: /^Try again/ })
    .click({ timeout: 5_000 })
    .catch(() => {});
