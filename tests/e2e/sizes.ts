import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";

export const KB = 1024;

/** The chunk that an idle browser preloads, and the tab's icon: both are requested after the page has loaded. */
const afterLoad = /\/assets\/vendor-|\/favicon\.svg$/;

/** Bytes of the answers that arrived until the page had loaded, or until now with `isAll`. */
export function recordSizes(page: Page, isAll = false) {
  const responses: Response[] = [];
  let hasLoaded = false;
  page.on("load", () => (hasLoaded = true));
  page.on("response", (response) => {
    // Events reach the test in a different order from the browser: a quick answer can overtake "load".
    if (isAll || !(hasLoaded || afterLoad.test(response.url()))) responses.push(response);
  });
  const sizeOf = async (pattern: RegExp) => {
    let sum = 0;
    for (const response of responses)
      if (pattern.test(response.headers()["content-type"] ?? ""))
        sum += (await response.request().sizes()).responseBodySize;
    return sum;
  };
  return { responses, sizeOf };
}

/** The bytes of executable inline scripts in the HTML. */
export async function inlineScriptBytes(page: Page) {
  const code = await page.evaluate(() =>
    [...document.querySelectorAll("script:not([src])")]
      // Data, and anything with a type that does not run, is not a script.
      .filter((script) => ["", "module"].includes(script.getAttribute("type") ?? ""))
      .map((script) => script.textContent)
      .join("\n"),
  );
  return brotliCompressSync(code).length;
}
