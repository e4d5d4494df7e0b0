/**
 * Pasting an error into the search box:
 * 1. A page of a log is searched for as the message that the documentation explains; its section is the first hit. The
 *    page says so, and can return to the whole text.
 * 2. A pasted question stays unchanged; so do the reader's edits in the meantime.
 * 3. Without JavaScript a long line leads to the same search. 4. axe finds nothing, and nothing is too wide.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const log = `\u001b[36m#9 [build 4/6] RUN npm ci\u001b[0m
2026-11-22T10:00:01.204Z #9 3.201 npm http fetch GET 200 https://registry.example.com/left-pad 312ms
 > [linux/arm64 build 5/6] RUN /srv/app/tools/gen --out dist:
#10 0.211 exec /srv/app/tools/gen: exec format error
    at run (/home/ci/5f2c9a/node_modules/tool/index.js:12:7)`;

/** Pastes like the browser, from the test's clipboard. */
async function paste(page: Page, text: string) {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("ControlOrMeta+v");
}

test("1, 2, 4. with JavaScript", async ({ docs, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await docs.openHydrated("/docs");
  const back = page.getByRole("button", { name: "Search for all of it" });

  await test.step("1. a log", async () => {
    await docs.searchBox.focus();
    await paste(page, log);
    await expect(docs.searchBox).toHaveValue("exec format error");
    await expect(docs.hits().first()).toContainText("exec format error");
    await expect(page).toHaveURL(/\?q=exec\+format\+error$/);
    await expect(back).toBeVisible();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  await test.step("1. back to all of it", async () => {
    await back.click();
    await expect(docs.searchBox).toHaveValue(/npm http fetch/);
    await expect(back).toBeHidden();
  });

  await test.step("2. a question", async () => {
    const question = "how do I mount a secret in a Dockerfile so that it is not in the image that I push?";
    await docs.searchBox.fill("");
    await paste(page, question);
    await expect(docs.hits().first()).toBeVisible();
    await expect(docs.searchBox).toHaveValue(question);
    await expect(back).toBeHidden();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("3. a long line", { tag: "@one-width" }, async ({ page }) => {
    await page.goto("/docs");
    await page
      .getByRole("combobox", { name: "Search docs" })
      .fill("2026-11-22T10:00:01Z ERROR: failed to solve: process /srv/app/tools/gen: exec format error");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/docs\?q=exec\+format\+error$/);
    await expect(page.getByRole("main").getByRole("listitem").first()).toContainText("exec format error");
  });
});
