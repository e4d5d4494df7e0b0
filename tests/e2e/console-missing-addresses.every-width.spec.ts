/**
 * "Missing pages", on a server with people.
 * 1. Requested addresses are listed with their referrers: a page of this site immediately, others after three times;
 *    scanners have no address. 2. They can be filtered. 3. A redirect says where it leads before it is made, is refused
 *    where there is no page, and is then a patch of content/redirects.yaml that keeps the rest. 4. Members get nothing.
 * 5. Free of axe's findings in both themes; fits the screen.
 */
import { expect, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

test.describe("an owner", () => {
  // The redirect that is refused.
  test.use({ expectedErrors: /status of 400/ });

  test("1, 2, 3, 5. lists, filters, redirects", async ({ acme, page, isMobile }) => {
    const ask = (path: string, referer: string) =>
      page.request.get(acme.origin + path, { headers: { accept: "text/html", referer } });
    await ask("/docs/cache/keys?q=secret", `${acme.origin}/docs/faq?q=secret`);
    for (let time = 0; time < 3; time++)
      await ask("/docs/old-runners", "https://github.com/acme/private?token=x");
    await ask("/docs/typed-once", "");
    await ask("/wp-login.php", "");
    await page.goto(`${acme.origin}/console/missing`);
    const row = (path: string) => page.getByRole("row").filter({ hasText: path });
    await expect(async () => {
      await page.reload();
      await expect(row("/docs/old-runners")).toContainText("github.com", { timeout: 1000 });
    }).toPass();
    await expect(row("/docs/cache/keys").getByRole("link", { name: "/docs/faq" })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText(/typed-once|wp-login|private|secret/);
    await expect(page.getByText(/further requests? from scanners/)).toBeVisible();

    await page.getByRole("button", { name: /^Linked here/ }).click();
    await expect(row("/docs/old-runners")).toHaveCount(0);
    await expect(row("/docs/cache/keys")).toBeVisible();
    await expectAccessible(page, { withColours: !isMobile });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

    await row("/docs/cache/keys").getByRole("button", { name: "Redirect… /docs/cache/keys" }).click();
    const dialog = page.getByRole("dialog", { name: "Redirect" });
    await dialog.getByLabel("Readers should go to").fill("/docs/nowhere");
    await dialog.getByRole("button", { name: "Try it" }).click();
    await expect(dialog.getByRole("alert")).toContainText("There is no page /docs/nowhere");
    await dialog.getByLabel("Readers should go to").fill("/docs/cache/overview");
    await dialog.getByRole("button", { name: "Try it" }).click();
    await expect(dialog.getByText("Nothing is saved yet.")).toBeVisible();
    await expect(dialog.getByRole("link", { name: /opens in a new tab/ })).toHaveAttribute(
      "href",
      "/docs/cache/overview",
    );
    await dialog.getByRole("button", { name: "Redirect", exact: true }).click();
    await expect(dialog.getByRole("heading", { name: "A patch for content/redirects.yaml" })).toBeVisible();
    await expect(dialog.locator('[data-kind="added"]').filter({ hasText: "from" })).toHaveText(
      "+- { from: /docs/cache/keys, to: /docs/cache/overview }\n",
    );
    await expectAccessible(page, { withColours: !isMobile });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  });
});

test.describe("a member @one-width", () => {
  test.use({ as: "ben", expectedErrors: /status of 403/ });

  test("4. gets nothing", async ({ acme, page }) => {
    const answer = await page.request.get(`${acme.origin}/console/api/missing`);
    expect(answer.status()).toBe(403);
    await page.goto(`${acme.origin}/console/missing`);
    await expect(page.getByRole("heading", { name: /^Only owners can see/ })).toBeVisible();
  });
});
