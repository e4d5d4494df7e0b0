import type { Locator, Page } from "@playwright/test";

/**
 * Presses "Try again". A page whose answer failed retries automatically after eight seconds, and has no button
 * meanwhile: on a busy machine it may just have done so, and the awaited content comes without the press.
 */
export const tryAgain = (place: Page | Locator) =>
  place
    .getByRole("button", { name: /^Try again/ })
    .click({ timeout: 5_000 })
    .catch(() => {});
