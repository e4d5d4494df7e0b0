/**
 * Settings of acme, where one width is enough.
 * 1. Leaving with an uncopied secret asks once: by link, by back, by the command menu. After staying, the secret is
 *    still there; after leaving, it is nowhere: not in the page, the address, the history or the storage. Once it is
 *    copied, there is no question.
 * 2. An owner's action appears in the audit log of two viewers immediately, once, and through their filters.
 */
import type { Page } from "@playwright/test";
import { expect, PEOPLE, test } from "./acme.ts";
import { placesWith } from "./places-with.ts";

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const onceOf = (page: Page, name: string) => page.getByRole("region", { name: `${name} was created` });

/** @returns the secret of a new token, which is shown. */
async function createToken(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: /^New token/ }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create the token" }).click();
  await expect(dialog).toBeHidden();
  const secret = /mr_prj_\w+/.exec(await onceOf(page, name).innerText())?.[0] ?? "no secret";
  expect(secret.length).toBeGreaterThan(30);
  return secret;
}

test("1. leaving with the secret uncopied", async ({ page, acme, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(acme.at("settings/members"));
  await main(page).getByRole("link", { name: "Tokens" }).click();
  const secret = await createToken(page, "first");
  const question = page.getByRole("alertdialog", { name: "Leave without the secret?" });
  const stays = async () => {
    await expect(question.getByRole("button", { name: "Stay here" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(acme.at("settings/tokens"));
    await expect(onceOf(page, "first")).toContainText(secret);
  };
  await main(page).getByRole("link", { name: "Members" }).click();
  await stays();
  await page.goBack();
  await stays();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("members");
  await page.getByRole("option", { name: /^Members/ }).click();
  await stays();
  await page.goBack();
  await question.getByRole("button", { name: "Leave without it" }).click();
  await expect(heading(page, "Members")).toBeVisible();
  expect(await placesWith(page, secret)).toEqual([]);
  await page.goForward();
  await expect(page.getByRole("row").filter({ hasText: "first" })).toHaveCount(1);
  await expect(onceOf(page, "first")).toHaveCount(0);
  expect(await placesWith(page, secret)).toEqual([]);

  const copied = await createToken(page, "second");
  await onceOf(page, "second").getByRole("button", { name: "Copy the secret" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
  await main(page).getByRole("link", { name: "Members" }).click();
  await expect(heading(page, "Members")).toBeVisible();
  expect(await placesWith(page, copied)).toEqual([]);
});

test("2. the audit log in two tabs", async ({ page, acme, browser, context }) => {
  const second = await browser.newContext();
  await acme.enter(second, "ruth");
  const tabs = { whole: page, filtered: await second.newPage(), acting: await context.newPage() };
  await tabs.whole.goto(acme.at("settings/audit"));
  await tabs.filtered.goto(acme.at("settings/audit?action=token.create"));
  for (const tab of [tabs.whole, tabs.filtered]) {
    await expect(tab.getByRole("banner").getByText("Live", { exact: true })).toBeVisible();
    await expect(tab.getByRole("row").filter({ hasText: "staging-deploy" })).not.toHaveCount(0);
    await expect(tab.getByRole("row").filter({ hasText: "fresh token" })).toHaveCount(0);
    // New lines do not push away the row under a pointer.
    await tab.mouse.move(4, 4);
  }
  await tabs.acting.goto(acme.at("settings/tokens"));
  await createToken(tabs.acting, "fresh token");
  for (const tab of [tabs.whole, tabs.filtered]) {
    const line = tab.getByRole("row").filter({ hasText: "fresh token" });
    await expect(line).toHaveCount(1);
    await expect(line).toContainText(PEOPLE.ada.name);
  }
  await second.close();
});
