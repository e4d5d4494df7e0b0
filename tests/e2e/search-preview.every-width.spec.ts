/**
 * 1. → previews the selected hit: the section that it leads to, without leaving the results. The preview follows the arrows;
 *    Ctrl C copies its code, which is announced; → goes into it, Esc and ← close it, and the focus is in the box again.
 * 2. By pointer: a button opens it, other buttons step through the results and open the page.
 * 3. Nothing is fetched before. axe finds nothing in either theme; nothing is wider than the screen.
 * 4. A page that cannot be loaded: the preview says so, and the results stay.
 * 5. While a section is loading, the code of the former section is not copied for it.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("a reader looks into results and takes code from them", async ({ docs, page }) => {
  const preview = page.getByRole("region", { name: /^Preview of / });
  const copyButton = preview.getByRole("button").filter({ hasText: "Copy code" });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const files: string[] = [];
  page.on("request", (request) => files.push(request.url()));
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("docker login registry");
  await expect(docs.hits().first()).toBeVisible();
  expect(files.filter((url) => url.includes("search-preview"))).toEqual([]);

  await test.step("1. by keyboard", async () => {
    await docs.searchBox.press("ArrowDown");
    await docs.searchBox.press("ArrowRight");
    await expect(preview.getByRole("heading").or(preview.locator(".lead")).first()).toBeVisible();
    const first = await preview.textContent();
    await docs.searchBox.press("ArrowDown");
    await expect.poll(() => preview.textContent()).not.toBe(first);
    await expect(docs.searchBox).toBeFocused();
    // Until its own section has loaded, it shows the former one.
    await expect(preview).not.toHaveAttribute("aria-busy");
    for (let at = 0; at < 20 && !(await copyButton.isVisible()); at++) {
      await docs.searchBox.press("ArrowDown");
      await expect(docs.hits().nth(at + 2)).toHaveAttribute("aria-selected", "true");
      await expect(preview).not.toHaveAttribute("aria-busy");
    }
    await docs.searchBox.press("Control+c");
    await expect(page.locator("#announcer")).toHaveText("Copied");
    const code = await copied();
    expect(code.trim()).not.toBe("");
    await expect(
      preview
        .locator("figure code")
        .filter({ hasText: code.split("\n", 1)[0] ?? "" })
        .first(),
    ).toBeVisible();
    await docs.searchBox.press("ArrowRight");
    await expect(preview).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(preview).toBeHidden();
    await expect(docs.searchBox).toBeFocused();
    await expect(docs.searchBox).toHaveValue("docker login registry");
    await expect(docs.hits().first()).toBeVisible();
  });

  await test.step("2. by pointer", async () => {
    await docs.results.getByRole("button", { name: "Preview", exact: true }).click();
    await expect(preview).toBeVisible();
    const name = await preview.getAttribute("aria-label");
    await preview.getByRole("button", { name: "Next result" }).click();
    await expect(preview).not.toHaveAttribute("aria-label", name ?? "");
    await preview.getByRole("button", { name: "Previous result" }).click();
    await expect(preview).toHaveAttribute("aria-label", name ?? "");
  });

  await test.step("3. axe finds nothing, and it fits the screen", async () => {
    await expect(preview.locator(".preview-body > *").first()).toBeVisible();
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    for (const theme of ["light", "dark"]) {
      await page.evaluate((value) => (document.documentElement.dataset["theme"] = value), theme);
      await expectAccessible(page);
    }
  });

  await test.step("2. the page opens from it", async () => {
    await preview.getByRole("link", { name: "Open" }).click();
    await expect(docs.article).toBeVisible();
    await expect(preview).toBeHidden();
    await docs.searchBox.fill("registry");
    await expect(docs.hits().first()).toBeVisible();
    await expect(preview).toBeHidden();
  });
});

test.describe("a page that cannot be had", () => {
  test.use({ expectedErrors: /^Failed to load resource/ });

  test("4. is said, and the results stay", { tag: "@one-width" }, async ({ docs, page }) => {
    await docs.openHydrated("/docs/faq");
    await docs.searchBox.fill("turborepo");
    await expect(docs.hits().first()).toBeVisible();
    await page.route("**/docs/cache/reference/turbo", (route) => route.abort());
    await docs.searchBox.press("ArrowDown");
    await docs.searchBox.press("ArrowRight");
    await expect(page.getByText("The preview could not be loaded.")).toBeVisible();
    await docs.searchBox.press("ArrowLeft");
    await expect(page.getByText("The preview could not be loaded.")).toBeHidden();
    await expect(docs.hits().first()).toBeVisible();
  });
});

test("5. a section that is on its way", { tag: "@one-width" }, async ({ docs, page }) => {
  const preview = page.getByRole("region", { name: /^Preview of / });
  const copyButton = preview.getByRole("button").filter({ hasText: "Copy code" });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("turborepo schema");
  const first = await docs
    .hits()
    .first()
    .evaluate((hit) => hit.closest("a")?.pathname ?? hit.querySelector("a")?.pathname ?? "");
  expect(first).not.toBe("");
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/docs\/[^?]*$/, async (route) => {
    if (!new URL(route.request().url()).pathname.startsWith(first)) await held;
    await route.continue();
  });
  await docs.searchBox.press("ArrowDown");
  await docs.searchBox.press("ArrowRight");
  await expect(copyButton).toBeVisible();
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  // The last hit is on another page.
  await docs.searchBox.press("ArrowUp");
  await expect(preview).toHaveAttribute("aria-busy", "true");
  await docs.searchBox.press("Control+c");
  await expect(copyButton).toHaveAttribute("aria-disabled", "true");
  expect(await copied()).toBe("mine");
  arrive();
  await expect(preview).not.toHaveAttribute("aria-busy");
});
