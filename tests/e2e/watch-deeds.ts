/** Unwanted actions of a page. */
import type { Page } from "@playwright/test";

/** Caused by its content: dialogs, windows, requests to others, refusals of its policy. */
export async function watchDeeds(page: Page, site: string): Promise<() => Promise<string[]>> {
  const deeds: string[] = [];
  const { host } = new URL(site);
  page.on("dialog", (dialog) => {
    deeds.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (other) => void deeds.push(`window ${other.url()}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(?:https?|wss?|javascript):$/.test(url.protocol) && url.host !== host)
      deeds.push(`request ${url.href}`);
  });
  await page.addInitScript(() => {
    const marks = window as unknown as { refused: string[] };
    marks.refused = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      marks.refused.push(`refused ${violatedDirective} ${blockedURI}`),
    );
  });
  return async () => [
    ...deeds,
    ...(await page.evaluate(() => (window as unknown as { refused: string[] }).refused)),
  ];
}
