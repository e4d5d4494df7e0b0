/**
 * Images when something is wrong, or when there are a great many.
 * 1. A list that cannot be read says so and appears when the server is back. Layers that cannot be read leave the rest.
 * 2. A refusal of the server appears where the request was made.
 * 3. Hostile tags and names are text.
 * 4. With 10,000 images, only those near the window are in the document; the search asks the server.
 * 5. Nothing is wider than a screen of 320 pixels, or than one with text of twice the size.
 * 6. No project, and no such project, say what to do.
 * 7. Without the server, data already read stays, requests are reported as failed, and the page continues when the
 *    server is back.
 * 8. Members do what owners do; a removed member learns of it, and other people's organizations have no page.
 */
import type { Page } from "@playwright/test";
import { noCache } from "../fixtures/cache-records.ts";
import { manyImages, noImages } from "../fixtures/image-records.ts";
import type { Records } from "../fixtures/replace-records.ts";
import { HOSTILE } from "./app.ts";
import { askEverything, expect, PROJECTS, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

const expectAccessible = (page: Page) => expectAllAccessible(page, { include: "#content" });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const UNAVAILABLE = { status: 503, json: { code: "unavailable", message: "database is locked" } };

test("1. a server that is unreachable for a while", { tag: "@one-width" }, async ({ acme, page }) => {
  let isBroken = true;
  await askEverything(page);
  await page.route(/ImageService\/(?:List|Get)$/, (route) =>
    isBroken ? route.fulfill(UNAVAILABLE) : route.fallback(),
  );
  await page.goto(acme.at("images/web"));
  await expect(page.getByRole("heading", { name: "Images of web cannot be read" })).toBeVisible({
    timeout: 15_000,
  });
  await expectAccessible(page);
  isBroken = false;
  await tryAgain(page);
  await expect(page.getByRole("table", { name: "Images of web" })).toContainText("store-map");
  isBroken = true;
  await page
    .getByRole("table", { name: "Images of web" })
    .getByRole("button", { name: /store-map/ })
    .click();
  const panel = page.getByRole("complementary", { name: "Image store-map" });
  await expect(panel).toContainText("The layers of store-map cannot be read", { timeout: 15_000 });
  await expect(panel).toContainText("docker pull");
  await expectAccessible(page);
});

test("2. refused", { tag: "@one-width" }, async ({ acme, page }) => {
  const message = "tags like 2026.* of acme/web never move; change it in the settings of the project";
  await page.route(/ImageService\/(?:Delete|Tag)$/, (route) =>
    route.fulfill({ status: 403, json: { code: "permission_denied", message } }),
  );
  await page.goto(acme.at("images/web?tag=2026.11.2&do=delete"));
  await page.getByRole("button", { name: /^Delete and free/ }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Tags like 2026.* of acme/web never move");
  await page.goto(acme.at("images/web?tag=2026.11.2&do=tag"));
  await page.getByLabel("Tag", { exact: true }).fill("2026.11.1");
  await page.getByRole("button", { name: "Add the tag" }).click();
  await expect(page.getByRole("dialog")).toContainText("Tags like 2026.* of acme/web never move");
});

/** More than the protocol lets through: other programs may have written the database. */
const hostile = (records: Records): Records => ({
  ...records,
  registry_tags: (records["registry_tags"] ?? []).map((tag, index) => ({
    ...tag,
    name: `${[HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3]}${index}`,
  })),
  registry_manifests: (records["registry_manifests"] ?? []).map((manifest, index) => ({
    ...manifest,
    pusher: [HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3] ?? "",
    puller: HOSTILE.long,
    platforms: index % 2 ? String(manifest["platforms"]) : `linux/${HOSTILE.long.slice(0, 60)}`,
    artifact_type: manifest["subject"] === "" ? "" : `application/${HOSTILE.long}`,
  })),
});

test("3. names of bad will", async ({ acme, page }) => {
  // Four times axe over a whole list.
  test.setTimeout(90_000);
  acme.fill(hostile);
  const tag = encodeURIComponent(`${HOSTILE.markup}0`);
  for (const path of ["images/web", `images/web?tag=${tag}`]) {
    await page.goto(acme.at(path));
    await expect(page.getByText("<img src=x").first()).toBeVisible();
    expect(await page.locator("main img").count()).toBe(0);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
  expect(await page.title()).not.toContain("pwned");
});

const IMAGES = 10_000;

test("4. very many", { tag: "@one-width" }, async ({ acme, page }) => {
  test.setTimeout(90_000);
  acme.fill((records) => manyImages(records, PROJECTS.web, IMAGES));
  await page.goto(acme.at("images/web"));
  const table = page.getByRole("table", { name: "Images of web" });
  await expect(table.getByRole("rowheader", { name: "v10000", exact: true })).toBeVisible({
    timeout: 15_000,
  });
  await expect(page.getByText(/^Rows 1 to \d+ of 500, more to come\./)).toBeVisible({ timeout: 20_000 });
  expect(await table.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("textbox", { name: "Filter images of web" }).fill("v1234");
  await expect(table.getByRole("rowheader")).toHaveText(["v1234"], { timeout: 15_000 });
});

test("5. small screens and large letters", async ({ acme, page, isMobile }) => {
  test.setTimeout(90_000);
  const { height } = page.viewportSize() ?? { height: 900 };
  for (const [records, paths] of [
    [noImages, ["images/web"]],
    [hostile, ["images/web", `images/web?tag=${encodeURIComponent(`${HOSTILE.long}2`)}`]],
    [undefined, ["images/web?tag=main"]],
  ] as const) {
    acme.fill(records);
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(acme.at(path));
        await expect(title(page)).toBeVisible();
        await expect(page.getByText(/^Loading /)).toHaveCount(0);
        await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        await page.evaluate(() => (document.documentElement.style.fontSize = ""));
        if (!isMobile) return;
        await page.setViewportSize({ width: 320, height });
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width: 390, height });
      });
  }
});

test("6. no project", { tag: "@one-width" }, async ({ acme, page }) => {
  for (const name of ["gone", "%3Cb%3E", "__proto__"]) {
    await page.goto(acme.at(`images/${name}`));
    await expect(title(page)).toHaveText("No such project");
  }
  acme.fill((records) => ({
    ...noCache(noImages(records)),
    projects: [],
    trust_relationships: [],
    exchanges: [],
  }));
  await page.goto(acme.at("images"));
  await expect(page.getByRole("heading", { name: "acme has no project yet" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "New project" })).toBeVisible();
});

test("7. offline", { tag: "@one-width" }, async ({ acme, page, context }) => {
  await page.goto(acme.at("images/web?tag=store-map"));
  const table = page.getByRole("table", { name: "Images of web" });
  const panel = page.getByRole("complementary", { name: "Image store-map" });
  await expect(panel.getByRole("tabpanel").getByRole("listitem")).toHaveCount(7);
  await panel.getByRole("button", { name: "Delete store-map…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toBeVisible();
  await context.setOffline(true);
  await question.getByRole("button", { name: /^Delete/ }).click();
  await expect(question).toContainText("The server does not respond.");
  await expectAllAccessible(page, { include: "[role$=dialog]" });
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(table).toContainText("store-map");
  // Its layers were not read yet.
  await table.getByRole("button", { name: /express-checkout/ }).click();
  const other = page.getByRole("complementary", { name: "Image express-checkout" });
  await expect(other).toContainText("The layers of express-checkout cannot be read", { timeout: 15_000 });
  await expect(other).toContainText("docker pull");
  await expectAccessible(page);
  await context.setOffline(false);
  await tryAgain(other);
  await expect(other.getByRole("tabpanel").getByRole("listitem")).toHaveCount(7);
});

test.describe("as a member", () => {
  test.use({ as: "ben" });

  test("8. what they may, and what they may not", { tag: "@one-width" }, async ({ acme, page }) => {
    await page.goto(acme.at("images/web?tag=store-map&do=delete"));
    await page.getByRole("button", { name: /^Delete and free/ }).click();
    await expect(page.getByRole("table", { name: "Images of web" })).not.toContainText("store-map");
    await page.goto(`${acme.origin}/app/acme-labs/images/web`);
    await expect(title(page)).toHaveText("There is no such page");
    const message = "members of acme only: user ben was removed";
    await askEverything(page);
    await page.route(/ImageService\/List$/, (route) =>
      route.fulfill({ status: 403, json: { code: "permission_denied", message } }),
    );
    await page.goto(acme.at("images/web"));
    await expect(page.getByRole("heading", { name: "Images of web cannot be read" })).toBeVisible();
    await expect(page.getByText("Members of acme only: user ben was removed.")).toBeVisible();
    // It would be refused again.
    await expect(page.getByText("or by itself in")).toHaveCount(0);
    await expectAccessible(page);
  });
});
