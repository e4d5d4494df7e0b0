/**
 * `/app/me` on a real server.
 * 1. Name and mail are changed, and errors appear at their field; others see the name immediately. 2. Other browsers
 *    are signed out, this one stays; passkeys are deleted after a question. 3. Theme and single keys hold in this
 *    browser, also for keys that would act. 4. A person can leave an organization; the last owner stays.
 * 5. Lists that cannot be read say so. Everywhere: axe finds nothing in either theme, 320 px are enough.
 */
import { cookieOf } from "../fixtures/acme-records.ts";
import { secretHash } from "../fixtures/replace-records.ts";
import { askEverything, expect, PEOPLE, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /status of (400|409)/ });

test("1. name and mail", async ({ page, acme }) => {
  await page.goto(`${acme.origin}/app/me`);
  await expect(page.getByRole("heading", { name: "Ada Okafor", level: 1 })).toBeVisible();
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 720 });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel("Mail", { exact: true }).fill("ben@acme.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Mail", { exact: true })).toHaveAccessibleDescription(
    /belongs to another person/,
  );
  await page.getByLabel("Mail", { exact: true }).fill("okafor@acme.example");
  await page.getByLabel("Name", { exact: true }).fill("<b>Ada</b>");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "<b>Ada</b>", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "<b>Ada</b>, your account" })).toBeVisible();
  await expect(page.getByText("Not verified", { exact: true })).toBeVisible();
});

test("2. browsers and passkeys", async ({ browser, page, acme }) => {
  const own = "one-more-browser-of-ada".padEnd(43, "0");
  acme.fill((records) => ({
    ...records,
    sign_ins: [
      ...(records["sign_ins"] ?? []),
      ...[own, cookieOf("ada").replace("acme", "mine")].map((cookie, index) => ({
        ...records["sign_ins"]?.[0],
        id: `sgn_more00000${index}`,
        user_id: PEOPLE.ada.id,
        key_hash: secretHash(cookie),
        browser: `Firefox ${index}`,
      })),
    ],
  }));
  const context = await browser.newContext();
  await context.addCookies([{ name: "millrace-session", value: own, url: acme.origin }]);
  const other = await context.newPage();
  await other.goto(`${acme.origin}/app/me`);
  await expect(other.getByText("This browser", { exact: true }).first()).toBeVisible();
  await page.goto(`${acme.origin}/app/me`);
  const signedIn = page.getByRole("region", { name: "Signed in" });
  await signedIn.getByRole("button", { name: "End all others…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End 2" }).click();
  await expect(signedIn.getByRole("button")).toHaveCount(0);
  await expect(signedIn).toContainText("This browser");
  await other.reload();
  await expect(other).toHaveURL(/\/app\/sign-in/);
  await context.close();

  await page.getByRole("button", { name: "Delete Security key…" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete the passkey Security key?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Delete Security key…" }).click();
  await question.getByRole("button", { name: "Delete the passkey" }).click();
  await expect(page.getByRole("button", { name: /^Delete .*…$/ })).toHaveCount(1);
});

test("3. theme and keys", async ({ page, acme }) => {
  await page.goto(`${acme.origin}/app/me`);
  const theme = page.getByRole("group", { name: "Theme" });
  const shown = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  await theme.getByRole("button", { name: "Dark" }).click();
  await expect.poll(shown).toBe("dark");
  await page.reload();
  await expect.poll(shown).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await theme.getByRole("button", { name: "System" }).click();
  await expect.poll(shown).toBe("light");
  await expect.poll(() => page.evaluate(() => localStorage["theme"] as unknown)).toBeUndefined();

  await page.getByRole("group", { name: "Single keys" }).getByRole("button", { name: "Off" }).click();
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByText(/^5 tokens/)).toBeVisible();
  await page.keyboard.press("n");
  await page.getByRole("button", { name: /^New token/ }).click();
  await expect(page.getByRole("dialog", { name: "New token" })).toBeVisible();
  // The key did nothing: one step back is the list.
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(acme.at("settings/tokens"));
});

test.describe("5. a failing server", () => {
  test.use({ expectedErrors: /status of (400|404|409|503)/ });

  test("4. and 5. leaving, and lists that fail", async ({ page, acme }) => {
    await askEverything(page);
    await page.route(/AccountService\/ListPasskeys$/, (route) =>
      route.fulfill({ status: 503, json: { code: "unavailable", message: "database is locked" } }),
    );
    acme.fill((records) => ({
      ...records,
      members: (records["members"] ?? []).map((row) =>
        row["user_id"] === PEOPLE.ruth.id ? { ...row, role: "member" } : row,
      ),
    }));
    await page.goto(`${acme.origin}/app/me`);
    await page.getByRole("button", { name: "Leave acme…" }).click();
    const question = page.getByRole("alertdialog", { name: "Leave acme?" });
    await question.getByRole("button", { name: "Leave acme" }).click();
    await expect(question.getByRole("alert")).toContainText("Ada Okafor is the last owner");
    await question.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Leave acme-labs…" }).click();
    const other = page.getByRole("alertdialog", { name: "Leave acme-labs?" });
    await other.getByRole("button", { name: "Leave acme-labs" }).click();
    await expect(page.getByRole("button", { name: "Leave acme-labs…" })).toHaveCount(0);
    await expect(page.getByText("Passkeys cannot be read")).toBeVisible({ timeout: 15_000 });
    await expectAccessible(page);
  });
});
