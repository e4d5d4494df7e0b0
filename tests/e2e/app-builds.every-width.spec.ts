/**
 * Builds and one build. The answers about builds are the tests' own (`builds.ts`), so that each is seen at its moment;
 * the rest is acme's server.
 * 1. From the rail to the list: running builds on lanes, results, search, segments with counts, chips, order, CSV.
 * 2. A running build: figures, steps, log; it continues without a reload, and its end is announced, also that it was
 *    slower. The page keeps its order then.
 * 3. A failed build: the failure is shown first, its line is a link into the log; earlier failures of its step and the
 *    last success are shown.
 * 4. A build that succeeded: compared with another, why a step ran again, its image, attestations, warnings, command.
 * 5. Canceling asks, says what stays, and is done once; the rail counts running builds.
 * 6. The server's own records: lists, steps, lines and reasons come from it, and the command menu finds a build.
 * 7. No page is wider than its screen; axe finds nothing in both themes.
 */
import type { Locator, Page } from "@playwright/test";
import type { Build } from "#api/gen/json-types.ts";
import { running } from "#app/dev/recordings.ts";
import { tell } from "../fixtures/build-answers.ts";
import { buildRecords } from "../fixtures/build-records.ts";
import { ACME, expect, PROJECTS, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { BuildAnswers } from "./builds.ts";
import { overflowOf } from "./overflow.ts";

/** The frame around it has tests of its own. Line numbers are small links, whose equivalent is `Y`. */
const expectAccessible = (page: Page) =>
  expectAllAccessible(page, { include: "#content", exclude: ".log-line > a" });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const rows = (page: Page) => page.getByRole("table", { name: "Builds" }).locator("tbody tr");
const steps = (page: Page) => page.getByRole("region", { name: /^Steps of the build/ });
const log = (page: Page) => page.getByRole("log", { name: "Lines" });
const tab = (page: Page, name: string | RegExp) => page.getByRole("tab", { name });

const choice = (page: Page, name: string | RegExp) =>
  page.getByRole("menuitemradio", { name }).or(page.getByRole("menuitem", { name }));

/** The fields that stay when a build ends. */
const ended = ({ labels, project_id, branch, commit_sha, platforms }: Build): Partial<Build> => ({
  labels,
  project_id,
  branch,
  commit_sha,
  platforms,
});

const endOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right);

async function serve(page: Page): Promise<BuildAnswers> {
  const answers = new BuildAnswers();
  await answers.serve(page);
  return answers;
}

test.beforeEach(async ({ page }) => {
  // Elements that still slide in have not reached their place.
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("1. the list", async ({ acme, page, isMobile }) => {
  await serve(page);
  await page.goto(acme.at());
  await page.goto(acme.at("builds"));
  await expect(title(page)).toHaveText("Builds");
  const lanes = page.getByRole("region", { name: "Running now" });
  await expect(lanes.getByRole("link")).toHaveText([
    /^web Add express checkout to the basket.*of 52s$/,
    /^api Bump pgx to 5\.8.*waiting for a builder$/,
  ]);
  await expect(rows(page)).toHaveCount(44);
  const failed = rows(page).filter({ hasText: "Move rounding into the ledger" });
  await expect(failed).toContainText("Failed");
  await expect(failed).toContainText("4/8");
  await expect(failed).toContainText("19.3s");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  const results = page.getByRole("group", { name: "Result" });
  await expect(results.getByRole("button")).toHaveText(["All 44", "Running 2", "Failed 4"]);
  await results.getByRole("button", { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/result=failed/);
  await expect(rows(page)).toHaveCount(4);
  await results.getByRole("button", { name: /^All/ }).click();
  await button(page, "Filter by by").click();
  await choice(page, "Ruth Adeyemi").click();
  await expect(page).toHaveURL(/by=Ruth/);
  await expect(rows(page)).toHaveCount(8);
  await button(page, "Remove “By Ruth Adeyemi”").click();
  await page.getByRole("textbox", { name: "Filter builds" }).fill("ledger");
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole("link").press("Enter");
  await expect(title(page)).toHaveText("Move rounding into the ledger");
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("textbox", { name: "Filter builds" }).fill("");
  await expect(rows(page)).toHaveCount(44);
  if (isMobile) {
    // Two lines each, also with a long name and a long time.
    const heights = await rows(page).evaluateAll((all) =>
      all.map((row) => Math.round(row.getBoundingClientRect().height)),
    );
    // The last row has no line below it.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
    return;
  }
  await page.getByRole("table", { name: "Builds" }).getByRole("button", { name: "Time" }).click();
  await expect(rows(page).first()).toContainText("1m 31s");
});

test("2. a running build", async ({ acme, page }) => {
  const answers = await serve(page);
  await page.goto(acme.at("builds/bld_v6n2hk8s4d"));
  await expect(title(page)).toHaveText("Add express checkout to the basket");
  await expect(page.getByRole("link", { name: "Pull request #418" })).toHaveAttribute(
    "href",
    "https://github.com/acme/web/pull/418",
  );
  await expect(page.getByRole("link", { name: "Job of image.yml" })).toHaveAttribute(
    "href",
    /\/runs\/54730219886$/,
  );
  await expect(page.getByRole("definition").filter({ hasText: "20 of 24" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "pnpm install, pnpm build" })).toBeVisible();
  await expect(
    steps(page).getByRole("link", { name: /^build 2 of 2, RUN pnpm build, running/ }),
  ).toBeVisible();
  await expect(log(page)).toContainText("Generating static pages using 15 workers (16/64)");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  // A step shows why it ran.
  await steps(page)
    .getByRole("link", { name: /^deps 2 of 2/ })
    .first()
    .click();
  await expect(page).toHaveURL(/step=17/);
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("Why was this step not cached?");
  await expect(details).toContainText("SENTRY_RELEASE was 9f31c7e, is 4be92d1");
  await tab(page, "Inputs").click();
  await expect(details).toContainText("NPM_TOKEN=***");

  // The build continues without a reload of this page.
  const was = answers.builds[0]?.build;
  const whole = tell({
    recording: running,
    startedAt: Date.parse(was?.started_at ?? ""),
    parts: { ...was, state: "succeeded", finished_at: new Date().toISOString() },
  });
  const {
    steps: ended,
    steps_done,
    steps_total,
  } = tell({ recording: running, startedAt: 0, parts: {} }).build;
  const regression = {
    percent: 40,
    compared_builds: 20,
    step_id: "",
    step_name: "[linux/arm64 build 2/2] RUN pnpm build",
    since_commit: "",
  };
  answers.builds[0] = {
    ...whole,
    build: { ...whole.build, steps: ended, steps_done, steps_total, regression },
  };
  await expect(page.getByText("Succeeded", { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(page.getByText("40 % slower than the 20 builds before it")).toBeVisible();
  await expect(page.locator("#announcer")).toContainText(/^Build succeeded in/);
  await expect(log(page)).toContainText("Generating static pages using 15 workers (64/64)", {
    timeout: 10_000,
  });
  await expect(steps(page)).toBeVisible();
  await expect(details).toBeVisible();
  await expect(button(page, "Cancel build")).toHaveCount(0);
});

test("3. a failed build", async ({ acme, page }) => {
  const answers = await serve(page);
  const [, , failed, done] = answers.builds;
  Object.assign(done?.build ?? {}, { project_id: PROJECTS.api, branch: failed?.build.branch });
  const before = {
    step_id: "",
    compared_builds: 41,
    failed_builds: 3,
    last_failed_build_id: "bld_0006w8d3rj",
  };
  Object.assign(failed?.build ?? {}, { failure: before });
  await page.goto(acme.at("builds/bld_x8d3rj5w1t"));
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure.getByRole("heading")).toHaveText("build 2/2 exited with code 1");
  // Next to it is the shape; the word is for screen readers.
  const word = await failure.getByText("Failed", { exact: true }).boundingBox();
  expect(word?.width).toBeLessThanOrEqual(1);
  await expect(failure).toContainText("internal/checkout/express.go:48:17: undefined: ledger.RoundHalfEven");
  await expect(failure).toContainText("did not complete: exit code: 1");
  const lines = failure.getByRole("figure", { name: "Dockerfile:10" });
  await expect(lines).toContainText("> 10RUN go build -trimpath -o /out/api ./cmd/api");
  await expect(lines).toContainText("7RUN go mod download");
  await expect(failure).toContainText("Last success on this branch: bld_m4c7wq2x9e");
  await expect(failure).toContainText(
    "This step failed in 3 of the 41 builds before it, last in bld_0006w8d3rj.",
  );
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  // The time of its end is visible to its last letter.
  expect(await endOf(steps(page).getByText("19.3s", { exact: true }).last())).toBeLessThanOrEqual(
    await endOf(steps(page)),
  );
  await failure.getByRole("link", { name: "Line 64" }).click();
  await expect(page).toHaveURL(/#L64$/);
  await expect(log(page).getByRole("link", { name: "Line 64", exact: true })).toBeInViewport();
  await page.getByRole("textbox", { name: "Search the log" }).fill("ledger");
  await expect(page.getByLabel(/^Match 1 of/)).toBeVisible();
  await failure.getByRole("link", { name: "Compare" }).click();
  await expect(
    page.getByRole("region", { name: "Steps of the build beside those of bld_m4c7wq2x9e" }),
  ).toBeVisible();
});

test("4. a build that succeeded", async ({ acme, page, isMobile }) => {
  const answers = await serve(page);
  const [later] = answers.builds;
  if (later)
    answers.builds[0] = tell({
      recording: running,
      startedAt: Date.now() - 60_000,
      parts: ended(later.build),
    });
  Object.assign(answers.find("bld_m4c7wq2x9e")?.build ?? {}, {
    regression: {
      percent: 40,
      compared_builds: 20,
      step_id: "",
      step_name: "[linux/amd64 build 2/2] RUN pnpm build",
      since_commit: "4be92d1".padEnd(40, "0"),
    },
  } satisfies Partial<Build>);
  await page.goto(acme.at("builds/bld_m4c7wq2x9e"));
  await expect(title(page)).toHaveText("Round the express total once, after tax");
  await expect(page.getByText("40 % slower than the 20 builds before it")).toBeVisible();
  await expect(page.getByText("It started with 4be92d1.")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "24.1s" })).toContainText("usual 52s");
  await expect(page.getByRole("region", { name: "Step", exact: true })).toContainText(
    "[linux/amd64 build 1/2] COPY . .",
  );
  await expect(page.getByRole("region", { name: "Step", exact: true })).toContainText("basket/express.tsx");
  await expect(page.getByRole("region", { name: "Image" })).toContainText("provenance, SBOM");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await button(page, "Compared with nothing, change").click();
  await choice(page, /Add express checkout/).click();
  await expect(page).toHaveURL(/against=bld_v6n2hk8s4d/);
  const compared = page.getByRole("region", { name: "Steps of the build beside those of bld_v6n2hk8s4d" });
  await expect(compared.getByRole("link", { name: /^build 1 of 2, COPY.*first to run again/ })).toBeVisible();
  await expect(compared).toContainText(/(?:faster|slower) than bld_v6n2hk8s4d/);
  await tab(page, /^Log/).click();
  await expect(log(page)).toContainText("#10 [linux/amd64 build 2/2] RUN pnpm build");
  await expect(page).toHaveURL(/tab=log/);
  await tab(page, /^Log/).press("ArrowRight");
  await expect(tab(page, "Inputs")).toBeFocused();
  await expect(page.getByRole("tabpanel")).toContainText("NODE_ENV=production");
  await tab(page, /^Attestations/).click();
  await expect(page.getByRole("tabpanel").getByRole("row")).toHaveCount(5);
  await tab(page, /^Warnings/).click();
  await expect(page.getByRole("tabpanel")).toContainText("Dockerfile:12");
  if (isMobile) {
    // A link to the last tab shows which one that is, though not all fit.
    await page.goto(acme.at("builds/bld_m4c7wq2x9e?tab=warnings"));
    const tabs = page.getByRole("tablist", { name: "Parts of the build" });
    const beyond = async () => (await endOf(tab(page, /^Warnings/))) - (await endOf(tabs));
    await expect.poll(beyond).toBeLessThan(1);
    return;
  }
  await page.keyboard.press("Escape");
  await page.locator("body").press("r");
  await expect(page.getByRole("dialog")).toContainText(
    "millrace build --platform linux/amd64,linux/arm64 --target runtime --build-arg NODE_ENV=production --build-arg NPM_TOKEN --save-tag express-checkout .",
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("]");
  await expect(title(page)).toHaveText("Add express checkout to the basket");
  await page.keyboard.press("[");
  await expect(title(page)).toHaveText("Round the express total once, after tax");
});

test("5. canceling", { tag: "@one-width" }, async ({ acme, page }) => {
  const answers = await serve(page);
  await page.goto(acme.at("builds/bld_v6n2hk8s4d"));
  const place = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Builds/ });
  await expect(place).toHaveAccessibleName("Builds 1 running");
  await button(page, "Cancel build").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Cancel Add express checkout to the basket?");
  await expect(question).toContainText("20 of 24 steps are done and stay in the layer cache.");
  await expect(question.getByRole("button", { name: "Let it run" })).toBeFocused();
  await question.getByRole("button", { name: "Cancel the build" }).click();
  await expect(page.getByText("canceled by Ada Okafor")).toBeVisible({ timeout: 10_000 });
  expect(answers.asked.filter(({ method }) => method === "CancelBuild")).toHaveLength(1);
  await expect(steps(page)).toBeVisible();
  await expect(place).toHaveAccessibleName("Builds");
});

test("6. the server's own records", { tag: "@one-width" }, async ({ acme, page }) => {
  acme.fill((records) => ({
    ...records,
    ...buildRecords({ now: Date.now(), organizationId: ACME.id, projects: PROJECTS }),
  }));
  await page.goto(acme.at("builds"));
  await expect(rows(page)).toHaveCount(42);
  await page.getByRole("textbox", { name: "Filter builds" }).fill("c07e5ab");
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole("link").click();
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText("internal/checkout/express.go:48:17: undefined: ledger.RoundHalfEven");
  await expect(failure).toContainText("First failure of this step in 41 builds.");
  await expect(steps(page).getByRole("link", { name: /^build 2 of 2, RUN go build/ })).toBeVisible();
  await expect(log(page)).toContainText("go: building package 60");
  await steps(page)
    .getByRole("link", { name: /^build 1 of 2/ })
    .click();
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details.getByText("How steps come from the cache")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("express total");
  await page.getByRole("option", { name: /Round the express total once/ }).click();
  await expect(title(page)).toHaveText("Round the express total once, after tax");
  await expect(page.getByRole("region", { name: "Image" })).toContainText("sha256:4be92d17a0");
  // The results of the last builds are on the overview and on their project.
  await page.goto(acme.at("?range=30d"));
  await expect(page.getByRole("definition").filter({ hasText: /succeeded, \d+ failed/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Needs a look" })).toContainText(
    "api: Move rounding into the ledger",
  );
  await page.goto(acme.at("projects/web"));
  await expect(page.getByRole("table", { name: "Builds of web" }).locator("tbody tr")).toHaveCount(15);
  await page.getByRole("link", { name: "All builds of web" }).click();
  await expect(page).toHaveURL(/builds\?project=web/);
  await expect(rows(page)).toHaveCount(15);
});
