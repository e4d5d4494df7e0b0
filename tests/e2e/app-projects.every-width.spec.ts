/**
 * Projects, one project and its settings, on acme's server.
 * 1. By keyboard from the list to a project, its commands and its settings; no page is wider than the screen.
 * 2. A new project: an error in a name appears while it is typed, and a refusal of the server appears at the field.
 * 3. A setting is saved by its own button. If someone else was faster, nothing is lost: it says who changed what, the
 *    choice stays, and saving again keeps it. A new name moves the address, for everyone who views it. Immutable tags
 *    are patterns: an invalid one is reported while it is typed, and the registry obeys the saved ones.
 * 4. A project is deleted by its name; members see who may do it, and are refused nothing else.
 * 5. An empty organization, a failing server and a missing project say what to do.
 * 6. Images that cannot be trusted are reported on the overview, also for beginners, and named at their project until
 *    someone dismisses the notice.
 */
import type { Page } from "@playwright/test";
import type { Records } from "../fixtures/replace-records.ts";
import { type Acme, askEverything, expect, PROJECTS, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

/** The frame around it has tests of its own. */
const expectAccessible = (page: Page, include = "#content") => expectAllAccessible(page, { include });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const tabs = (page: Page, project: string) => page.getByRole("navigation", { name: project, exact: true });

/** A simultaneous change by another program of the same person. */
async function update(page: Page, { origin }: Acme, change: object) {
  const { request } = page.context();
  const answer = await request.post(`${origin}/api/millrace.v1.ProjectService/Update`, {
    headers: { Origin: origin, "Millrace-Org": "acme" },
    data: { project_id: PROJECTS.web, ...change },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

test("1. from the list to the settings", async ({ acme, page }) => {
  await page.goto(acme.at("projects"));
  await expect(title(page)).toHaveText("Projects");
  const web = page.getByRole("link", { name: "web", exact: true });
  await expect(web).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await web.focus();
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText("web");
  await expect(page.getByText(`millrace init --project ${PROJECTS.web}`)).toBeVisible();
  await expect(page.getByText("2 CI providers")).toBeVisible();
  await expect(page.getByText("ref is refs/pull/418/merge, not refs/heads/main")).toBeVisible();
  await button(page, "GitHub Actions").click();
  await expect(page.getByText(`MILLRACE_PROJECT: ${PROJECTS.web}`)).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await tabs(page, "web").getByRole("link", { name: "Settings" }).press("Enter");
  await expect(page.getByLabel("Builder size")).toHaveValue("8");
  await expect(tabs(page, "web").getByRole("link", { name: "Settings" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  // By its id, as machines name it.
  await page.goto(acme.at(`projects/${PROJECTS.api}`));
  await expect(title(page)).toHaveText("api");
});

test("2. a new project", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("projects"));
  await button(page, /New project/).click();
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toBeFocused();
  await name.fill("My Shop");
  await expect(name).toHaveAccessibleDescription("Write it without spaces: a dash separates words.");
  await name.fill("worker");
  await expect(name).toHaveAccessibleDescription("A project worker already exists.");
  await expectAccessible(page, "[role$=dialog]");
  await page.keyboard.press("Enter");
  await expect(name).toBeVisible();
  await name.fill("shop");
  await page.getByLabel("Builder size").selectOption("2 CPUs, 8 GB");
  await name.press("Enter");
  await expect(title(page)).toHaveText("shop");
  await expect(page).toHaveURL(acme.at("projects/shop"));
  await page.goto(acme.at("projects?new=1"));
  await expect(name).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(acme.at("projects"));
});

test("3. two people change the same project", { tag: "@one-width" }, async ({ acme, page, browser }) => {
  const context = await browser.newContext();
  await acme.enter(context, "ruth");
  const ruth = await context.newPage();
  await page.goto(acme.at("projects/web/settings"));
  const size = page.getByLabel("Builder size");
  await size.selectOption("16 CPUs, 64 GB");
  await update(ruth, acme, { builder_size: 32 });
  await button(page, "Save builder size").click();
  const alert = page.getByRole("alert").filter({ hasText: "web was changed" });
  await expect(alert).toContainText("The builder size is now 32 CPUs, 128 GB; it was 8 CPUs, 32 GB.");
  await expect(page.getByText("Not saved")).toBeVisible();
  await expect(size).toHaveValue("16");
  await expectAccessible(page);
  await button(page, "Save again builder size").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(size).toHaveValue("16");
  await page.getByLabel("Name", { exact: true }).fill("shop");
  await button(page, "Save name").click();
  await expect(page).toHaveURL(acme.at("projects/shop/settings"));
  await expect(title(page)).toHaveText("shop");
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(size).toHaveValue("16");
  await context.close();
});

test("3. immutable tags", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("projects/web/settings"));
  const field = page.getByLabel("Immutable tags");
  await expect(field).toHaveValue("");
  await field.fill("2026.* v/1");
  await expect(field).toHaveAccessibleDescription(/^v\/1 is not a pattern: use letters/);
  await expect(button(page, "Save immutable tags")).toBeDisabled();
  await expectAccessible(page);
  await field.fill("2026.*,  main 2026.*");
  await button(page, "Save immutable tags").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue("2026.* main");

  await page.goto(acme.at("images/web?tag=2026.11.2&do=delete"));
  await button(page, /^Delete and free/).click();
  await expect(page.getByRole("alertdialog")).toContainText(
    "acme/web:2026.11.2 cannot be deleted: tags like 2026.* never change in this project.",
  );
  await page.goto(acme.at("images/web?tag=store-map&do=tag"));
  await page.getByLabel("Tag", { exact: true }).fill("main");
  await button(page, "Add the tag").click();
  await expect(page.getByRole("dialog")).toContainText("acme/web:main cannot be moved");
  await page.goto(acme.at("settings/audit?action=project.update"));
  await expect(page.getByText("web, immutable tags 2026.* main")).toBeVisible();

  await page.goto(acme.at("projects/web/settings"));
  await field.fill("");
  await button(page, "Save immutable tags").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.goto(acme.at("images/web?tag=2026.11.2&do=delete"));
  await button(page, /^Delete and free/).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.goto(acme.at("settings/audit?action=project.update"));
  await expect(page.getByText("web, immutable tags none")).toBeVisible();
});

test("4. deleting", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("projects/web/settings"));
  await button(page, "Delete…").click();
  await expect(page).toHaveURL(/do=delete/);
  await expect(
    page.getByText("Its images are deleted. 2 tokens and 2 trust relationships stop working now"),
  ).toBeVisible();
  const remove = button(page, "Delete web");
  await expect(remove).toBeDisabled();
  await expect(page.getByLabel("Type web to confirm")).toBeFocused();
  await expectAccessible(page, "[role$=dialog]");
  await page.keyboard.type("web");
  await remove.click();
  await expect(page).toHaveURL(acme.at("projects"));
  await expect(page.getByRole("link", { name: "worker", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "web", exact: true })).toHaveCount(0);
  await page.goto(acme.at("projects/web"));
  await expect(page.getByText("There is no project web in acme.")).toBeVisible();
});

test.describe("as a member", () => {
  test.use({ as: "mei" });

  test("4. changes a project, and is told who deletes it", { tag: "@one-width" }, async ({ acme, page }) => {
    await page.goto(acme.at("projects/api/settings"));
    await expect(
      page.getByText(/Owners delete projects.*Ada Okafor and Ruth Adeyemi are its owners/),
    ).toBeVisible();
    await expect(button(page, "Delete…")).toHaveCount(0);
    await page.getByLabel("Unused layers go after").selectOption("30 days");
    await button(page, "Save unused layers go after").click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await expectAccessible(page);
  });
});

const empty = (records: Records): Records => ({
  ...records,
  projects: [],
  trust_relationships: [],
  exchanges: [],
  tokens: records["tokens"]?.filter(({ project_id }) => project_id === null) ?? [],
});

test("5. nothing, and nothing of that name", { tag: "@one-width" }, async ({ acme, page }) => {
  acme.fill(empty);
  await page.goto(acme.at("projects"));
  await expect(page.getByRole("heading", { name: "No projects in acme yet" })).toBeVisible();
  await expect(page.getByText("millrace init")).toBeVisible();
  await expectAccessible(page);
  for (const name of ["nope", "prj_zz9p0qk1m0", "%3Cb%3E"]) {
    await page.goto(acme.at(`projects/${name}`));
    await expect(page.getByText(`There is no project ${decodeURIComponent(name)} in acme.`)).toBeVisible();
  }
  await expectAccessible(page);
});

test.describe("failing", () => {
  test("5. a server that is unreachable for a while", { tag: "@one-width" }, async ({ acme, page }) => {
    let isBroken = true;
    await askEverything(page);
    await page.route(/ProjectService/, (route) =>
      isBroken
        ? route.fulfill({ status: 503, json: { code: "unavailable", message: "database is locked" } })
        : route.fallback(),
    );
    await page.goto(acme.at("projects"));
    await expect(page.getByText("Projects cannot be read")).toBeVisible({ timeout: 15_000 });
    isBroken = false;
    await tryAgain(page);
    await page.getByRole("link", { name: "web", exact: true }).click();
    await tabs(page, "web").getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Layer cache, per architecture").selectOption("100 GB");
    isBroken = true;
    await button(page, "Save layer cache, per architecture").click();
    await expect(page.getByText("Not saved")).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: "Database is locked." })).toBeVisible();
    isBroken = false;
    await button(page, /Save again/).click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  });
});

const HOUR_MS = 3_600_000;
const SPOILED_IMAGES = [
  ...Array.from({ length: 9 }, (_, at) => `build.acme.example/acme/web:bld_spoiled${at}`),
  `build.acme.example/acme/web:${"w".repeat(128)}`,
];

const withSpoiledCache = (records: Records): Records => ({
  ...records,
  projects:
    records["projects"]?.map((row) => ({
      ...row,
      spoiled_cache:
        row["id"] === PROJECTS.web
          ? JSON.stringify({
              platforms: ["linux/amd64", "linux/arm64"],
              since: Date.now() - 48 * HOUR_MS,
              resetAt: Date.now() - HOUR_MS,
              images: SPOILED_IMAGES,
              hasMoreImages: false,
            })
          : null,
    })) ?? [],
});

test("6. a spoiled layer cache", async ({ acme, page }) => {
  acme.fill(withSpoiledCache);
  for (const address of ["?checklist=1", ""]) {
    await page.goto(acme.at(address));
    await expect(page.getByText("10 images of web cannot be trusted.")).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole("link", { name: "What to do" }).click();
  await expect(title(page)).toHaveText("web");
  const note = page.getByRole("region", { name: "Spoiled layer cache" });
  await expect(note).toContainText("10 images cannot be trusted: build them again");
  await expect(note).toContainText("linux/amd64 and linux/arm64");
  await expect(note.getByText(SPOILED_IMAGES[0] ?? "", { exact: true })).toBeVisible();
  await note.getByText("2 more").click();
  await expect(note.getByText(SPOILED_IMAGES[9] ?? "", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await note.getByRole("button", { name: "Dismiss" }).click();
  await expect(note).toBeHidden();
  await page.goto(acme.at());
  await expect(page.getByRole("region", { name: "Needs a look" })).toBeVisible();
  await expect(page.getByText("cannot be trusted")).toBeHidden();
});
