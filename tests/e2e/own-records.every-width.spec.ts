/**
 * What the documentation shows of a signed-in reader's own records, from the server's database.
 * 1. The page on cache misses shows, after its introduction, the last step that ran again: the build, the reason, a link to the build.
 *    Another project's is another miss, and a project without one has none. axe finds nothing in either theme.
 * 2. The quickstart ticks the steps that the reader has done, and no others.
 * 3. Records that cannot be read leave the page without them; markup in them is text.
 */
import { buildRecords } from "../fixtures/build-records.ts";
import type { Records, Row } from "../fixtures/replace-records.ts";
import { ACME, PROJECTS } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { expect, OWN, ownNames, showPanel, test } from "./own.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const MISSES = "/docs/container-builds/troubleshooting/cache-misses";
const QUICKSTART = "/docs/container-builds/quickstart";
/** The build of web with steps, whose copy of the code ran again. */
const BUILD = "bld_m4c7wq2x9e";
const EARLIER = "bld_e4r1ier000";
const HOUR_MS = 3_600_000;

/** The builds of the designs' company, and a build of three hours before with the same steps. */
function withBuilds(records: Records): Records {
  const made = buildRecords({ now: Date.now(), organizationId: ACME.id, projects: PROJECTS });
  const { builds = [], build_steps: steps = [] } = made;
  const earlier = builds
    .filter(({ id }) => id === BUILD)
    .map((row) => ({ ...row, id: EARLIER, created_at: Number(row["created_at"]) - 3 * HOUR_MS }));
  const earlierSteps = steps
    .filter(({ build_id }) => build_id === BUILD)
    .map((row) => ({
      ...row,
      build_id: EARLIER,
      id: String(row["id"]).replace(BUILD, EARLIER),
      inputs: "[]",
    }));
  return {
    ...ownNames(records),
    ...made,
    builds: [...builds, ...earlier],
    build_steps: [...steps, ...earlierSteps],
  };
}

test("1. the last miss", async ({ reader, acme, page }) => {
  acme.fill(withBuilds);
  await reader.open(MISSES);
  await (await showPanel(page)).getByLabel("Project").selectOption("web");
  const miss = page.getByRole("region", { name: "Your last miss" });
  await expect(miss).toContainText(/web, .*\[linux\/amd64 build 1\/2\] COPY \. \. ran again\. \S+/);
  await expect(miss.getByRole("link")).toHaveText(BUILD);
  // The introduction stays first, also on a phone, which shows it above the outline.
  await expect(page.locator(".prose > :first-child")).toContainText("When a step runs although");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await (await showPanel(page)).getByLabel("Project").selectOption("worker");
  await expect(miss).toHaveCount(0);
  await (await showPanel(page)).getByLabel("Project").selectOption("web");
  await miss.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`^${acme.origin}/app/${OWN}/builds/bld_\\w{10}$`));
});

test("2. the quickstart's ticks", async ({ reader, acme, page }) => {
  const ticks = () =>
    page.getByRole("article").getByRole("heading").filter({ hasText: "Done" }).allTextContents();
  await reader.open(QUICKSTART);
  await expect.poll(ticks).toHaveLength(3);
  const before = (await ticks()).join("\n");
  for (const step of ["Install the CLI", "Log in", "Connect the directory"]) expect(before).toContain(step);
  await expectAccessible(page);

  acme.fill(withBuilds);
  await reader.open(QUICKSTART);
  await expect.poll(ticks).toHaveLength(5);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await (await showPanel(page)).getByRole("button", { name: "Show sample names" }).click();
  await expect.poll(ticks).toEqual([]);
});

test("3. records that cannot be read", async ({ reader, page }) => {
  await page.route("**/first-run", (route) => route.fulfill({ status: 500, body: "" }));
  await page.route("**/*BuildService/ListBuilds", (route) =>
    route.fulfill({ status: 503, json: { message: "the database is unreachable" } }),
  );
  for (const path of [QUICKSTART, MISSES]) {
    await reader.open(path);
    await expect(page.getByText("Done", { exact: true })).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Your last miss" })).toHaveCount(0);
  }
});

test("3. markup in a step's name", { tag: "@one-width" }, async ({ reader, acme, page }) => {
  const markup = `[build 1/2] RUN <img src=x onerror="document.title='pwned'">`;
  acme.fill((records) => {
    const all = withBuilds(records);
    const rename = (step: Row) =>
      String(step["name"]).endsWith("build 1/2] COPY . .") ? { ...step, name: markup } : step;
    return { ...all, build_steps: all["build_steps"]!.map(rename) };
  });
  await reader.open(MISSES);
  await (await showPanel(page)).getByLabel("Project").selectOption("web");
  await expect(page.getByRole("region", { name: "Your last miss" })).toContainText("<img src=x");
  await expect(page).not.toHaveTitle("pwned");
});
