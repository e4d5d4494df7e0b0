/**
 * The images of a project, on acme's server.
 * 1. From the rail to the project pushed to last, to the last one viewed, and from one repository to another; names and
 *    sizes, search by tag and commit, saved builds, platforms, order; no page is wider than the screen.
 * 2. One image by keyboard: its pull command, digest, commit, attachments, layers by platform.
 * 3. A tag is added; a tag is deleted after a question that names it and the space freed, and is restored; an image
 *    goes with all its tags.
 * 4. Nothing was pushed yet: three commands. The first push appears without a reload.
 * 5. The place has its letter, and the command menu finds an image by its name.
 * 6. CSV has everything that passes the filters.
 * 7. The buttons of an image come with its layers: none moves under a pointer.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIRequestContext, Page } from "@playwright/test";
import { noImages } from "../fixtures/image-records.ts";
import { type Acme, expect, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

/** The frame around it has tests of its own. */
const expectAccessible = (page: Page, include = "#content") => expectAllAccessible(page, { include });

// The browser logs this for the missing image.
test.use({ expectedErrors: /status of 404/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const table = (page: Page) => page.getByRole("table", { name: "Images of web" });
const rows = (page: Page) => table(page).locator("tbody tr");
const panel = (page: Page, name: string) => page.getByRole("complementary", { name: `Image ${name}` });

test.beforeEach(async ({ page }) => {
  // Elements that still slide in have not reached their place.
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("1. from the rail to the images of a project", async ({ acme, page, isMobile }) => {
  await page.goto(acme.at("images"));
  await expect(title(page)).toHaveText("acme/web");
  await expect(page).toHaveURL(/\/images\/web$/);
  await expect(
    page.getByText(
      /^24 tags and 61 saved builds\. .+ stored for .+ of images: equal layers are kept once\.$/,
    ),
  ).toBeVisible();
  await expect(rows(page)).toHaveCount(22);
  const main = rows(page).first();
  await expect(main).toContainText("main");
  await expect(main).toContainText("77d01e4");
  await expect(main).toContainText("Ada Okafor");
  if (!isMobile) await expect(main).toContainText("amd64 + arm64");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  const search = page.getByRole("textbox", { name: "Filter images of web" });
  await expect(search).toBeInViewport({ ratio: 1 });
  await search.fill("2026.11");
  await expect(rows(page)).toHaveCount(3);
  await search.fill("77d01e4c5a9");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("main");
  await search.fill("");
  await expect(rows(page)).toHaveCount(22);
  await button(page, "Filter by platform").click();
  await page
    .getByRole("menuitem", { name: "amd64" })
    .or(page.getByRole("menuitemradio", { name: "amd64" }))
    .click();
  await expect(page).toHaveURL(/platform=linux%2Famd64/);
  await expect(rows(page)).toHaveCount(21);
  await button(page, "Remove “Platform amd64”").click();
  await button(page, "Show saved builds").click();
  await expect(rows(page)).toHaveCount(83);
  await button(page, "Hide saved builds").click();
  await expect(rows(page)).toHaveCount(22);
  if (isMobile) await page.getByLabel("Sort by").selectOption({ index: 2 * 6 });
  else await table(page).getByRole("button", { name: "Pulls" }).click();
  await expect(rows(page).first()).toContainText("2026.10.9");

  await page.getByRole("group", { name: "Repository" }).getByRole("button", { name: /^api/ }).click();
  await expect(title(page)).toHaveText("acme/api");
  await expect(page.getByRole("table", { name: "Images of api" }).locator("tbody tr")).toHaveCount(3);
  await page.goto(acme.at("images"));
  await expect(title(page)).toHaveText("acme/api");
});

test("2. one image", async ({ acme, page }) => {
  await page.goto(acme.at("images/web"));
  await table(page)
    .getByRole("button", { name: /store-map/ })
    .press("Enter");
  await expect(page).toHaveURL(/tag=store-map/);
  await expect(panel(page, "store-map").getByRole("tab")).toHaveText([/^amd64/]);
  await page.goto(acme.at("images/web?tag=main"));
  const image = panel(page, "main");
  await expect(image).toContainText(`docker pull ${new URL(acme.origin).host}/acme/web:main`);
  await expect(image).toContainText(/sha256:[0-9a-f]{10}…[0-9a-f]{4}/);
  await expect(image).toContainText("77d01e4");
  await expect(image).toContainText("2 min, cluster-prod");
  await expect(image).toContainText("SBOM, provenance, 1 signature");
  await expect(image).toContainText("while a tag names it");
  const layers = image.getByRole("tabpanel").getByRole("listitem");
  await expect(layers).toHaveCount(7);
  await expect(layers.nth(2)).toContainText("RUN corepack enable, shared with another tag3.1 MB");
  await expect(layers.nth(5)).toContainText("only here");
  await image.getByRole("tab", { name: /^amd64/ }).press("ArrowRight");
  await expect(image.getByRole("tab", { name: /^arm64/ })).toBeFocused();
  await expect(page).toHaveURL(/arch=linux%2Farm64/);
  await expect(image.getByRole("tabpanel", { name: /^arm64/ })).toContainText("82.5 MB");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.keyboard.press("Escape");
  await expect(image).toHaveCount(0);
  await page.goto(acme.at("images/web?tag=gone"));
  await expect(panel(page, "gone")).toContainText("There is no image gone in acme/web.");
});

test("3. tags are added and deleted", async ({ acme, page }) => {
  await page.goto(acme.at("images/web?tag=main"));
  await panel(page, "main").getByRole("button", { name: "Add a tag" }).click();
  const field = page.getByLabel("Tag", { exact: true });
  await expect(field).toBeFocused();
  await field.fill("-x");
  await expect(page.getByText("A tag must begin with a letter, a digit or an underscore.")).toBeVisible();
  await field.fill("store-map");
  await expect(
    page.getByText(/^store-map now points to [0-9a-f]{8}: it moves to this image\.$/),
  ).toBeVisible();
  await expectAccessible(page, "[role$=dialog]");
  await field.fill("stable");
  await button(page, "Add the tag").click();
  await expect(panel(page, "stable")).toBeVisible();
  await expect(rows(page).filter({ hasText: "stable" })).toContainText("main");

  await panel(page, "stable").getByRole("button", { name: "Delete stable…" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete stable of acme/web?" });
  await expect(question).toContainText("The image stays: 77d01e4, main also point to it.");
  await expectAccessible(page, "[role$=dialog]");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(rows(page).filter({ hasText: "stable" })).toHaveCount(0);
  await expect(page).not.toHaveURL(/tag=/);
  await button(page, "Undo").click();
  await expect(rows(page).filter({ hasText: "stable" })).toHaveCount(1);

  await page.goto(acme.at("images/web?tag=store-map"));
  await panel(page, "store-map").getByRole("button", { name: "Delete store-map…" }).click();
  await button(page, "Delete and free 11.2 MB").click();
  await expect(rows(page).filter({ hasText: "store-map" })).toHaveCount(0);

  await page.goto(acme.at("images/web?tag=2026.11.3"));
  await panel(page, "2026.11.3").getByRole("button", { name: "all" }).click();
  await button(page, /^Delete [0-9a-f]{8}…$/).click();
  await expect(
    page.getByText("The image is deleted with all its 2 tags: 2026.11.3, production."),
  ).toBeVisible();
  await button(page, /^Delete and free [\d.]+ MB$/).click();
  await expect(rows(page).filter({ hasText: "production" })).toHaveCount(0);
});

const digestOf = (bytes: string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Pushes with a token, as Docker does. */
async function push(session: APIRequestContext, client: APIRequestContext, { origin }: Acme): Promise<void> {
  const made = await session.post(`${origin}/api/millrace.v1.TokenService/Create`, {
    headers: { Origin: origin, "Millrace-Org": "acme" },
    data: { name: "pushes", type: "org" },
  });
  const { secret } = (await made.json()) as { secret: string };
  const headers = { Authorization: `Bearer ${secret}` };
  const base = `${origin}/v2/acme/web`;
  const config = JSON.stringify({ os: "linux", architecture: "amd64", history: [] });
  const begun = await client.post(`${base}/blobs/uploads/?digest=${digestOf(config)}`, {
    headers: { ...headers, "Content-Type": "application/octet-stream" },
    data: config,
  });
  expect(begun.status()).toBe(201);
  const type = "application/vnd.oci.image.manifest.v1+json";
  const descriptor = {
    mediaType: "application/vnd.oci.image.config.v1+json",
    digest: digestOf(config),
    size: config.length,
  };
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: type, config: descriptor, layers: [] });
  const put = await client.put(`${base}/manifests/first`, {
    headers: { ...headers, "Content-Type": type },
    data: manifest,
  });
  expect(put.status()).toBe(201);
}

test("4. the first push", async ({ acme, page, playwright }) => {
  acme.fill(noImages);
  await page.goto(acme.at("images/web"));
  await expect(page.getByRole("heading", { name: "No image in web yet" })).toBeVisible();
  const { host } = new URL(acme.origin);
  for (const command of [
    `docker login ${host} -u x-token`,
    `docker tag web ${host}/acme/web:latest`,
    `docker push ${host}/acme/web:latest`,
  ])
    await expect(page.getByText(command)).toBeVisible();
  await expect(page.getByText("Waiting for the first push")).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  const client = await playwright.request.newContext();
  await push(page.context().request, client, acme);
  await expect(rows(page)).toHaveCount(1, { timeout: 15_000 });
  await expect(rows(page)).toContainText("first");
  await expect(page.getByText(/^1 tag\./)).toBeVisible();
  await button(page, "Push an image").click();
  await expect(page.getByRole("dialog", { name: "Push an image to web" })).toContainText("docker push");
  await expectAccessible(page, "[role$=dialog]");
  await client.dispose();
});

test("5. its letter and the command menu", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at());
  await expect(title(page)).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(title(page)).toHaveText("acme/web");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or run" })).toBeFocused();
  for (const typed of ["acme/web:expr", "web:expr", "expr"]) {
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(typed);
    await expect(page.getByRole("option", { name: /^acme\/web:express-checkout/ })).toBeVisible();
  }
  await page.getByRole("option", { name: /^acme\/web:express-checkout/ }).click();
  await expect(panel(page, "express-checkout")).toBeVisible();
});

test("6. as a file", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("images/web?q=2026.11"));
  await expect(rows(page)).toHaveCount(3);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()]);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    "tags",
    "2026.11.3 production",
    "2026.11.2",
    "2026.11.1",
  ]);
});

test("7. buttons after the layers", { tag: "@one-width" }, async ({ acme, page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/ImageService\/Get$/, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(acme.at("images/web"));
  await table(page)
    .getByRole("button", { name: /store-map/ })
    .click();
  const image = panel(page, "store-map");
  await expect(image).toContainText("Loading its layers");
  await expect(image).toContainText("Last pull");
  await expect(image.getByRole("button", { name: "Delete store-map…" })).toHaveCount(0);
  release();
  await expect(image.getByRole("tabpanel")).toBeVisible();
  await expect(image.getByRole("button", { name: "Delete store-map…" })).toBeVisible();
});
