/**
 * Builds when something is wrong, or when there is a lot of data. The answers about builds are the tests' own
 * (`builds.ts`).
 * 1. A part that cannot be read says so in its place, and appears when the server is back; the rest stays.
 * 2. No such build, no build yet, and a waiting build say what to do and why.
 * 3. Hostile names, errors and arguments are text, at every width and with text of twice the size.
 * 4. Without the server, data already read stays, its clocks stop, and the page continues when the server is back.
 * 5. Few of 100,000 lines are in the page; a link to one of the last opens its step and brings it into view.
 * 6. A log that is cut continues after its last line: none is missing, and none appears twice.
 * 7. Few of 10,000 builds are in the page; all are counted, the filter finds any of them, and the end of the list can
 *    be reached.
 * 8. A person who may not read builds learns so, in a list and at a build; a build that wrote nothing says that.
 * 9. The names of 300 builds, which are the links, have their room at every width, also with letters of twice the size
 *    and when the window changes: text next to them is cut, figures are not; columns stay where they are while rows
 *    scroll and filters change.
 */
import type { Page } from "@playwright/test";
import type { Build } from "#api/gen/json-types.ts";
import { manyBuilds } from "../fixtures/build-answers.ts";
import { HOSTILE } from "./app.ts";
import { expect, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { BuildAnswers } from "./builds.ts";
import { columnsOf, coveredNames, cutFigures, narrowestName } from "./columns.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

const expectAccessible = (page: Page) =>
  expectAllAccessible(page, { include: "#content", exclude: ".log-line > a" });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const log = (page: Page) => page.getByRole("log", { name: "Lines" });
const RUNNING = "builds/bld_v6n2hk8s4d";
const FAILED = "builds/bld_x8d3rj5w1t";
const BROKEN = { status: 503, code: "unavailable", message: "database is locked" };

async function serve(page: Page): Promise<BuildAnswers> {
  const answers = new BuildAnswers();
  await answers.serve(page);
  return answers;
}

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("1. a server that is unreachable for a while", { tag: "@one-width" }, async ({ acme, page }) => {
  const answers = await serve(page);
  answers.refused = { ListBuilds: BROKEN };
  await page.goto(acme.at("builds"));
  await expect(page.getByRole("heading", { name: "Builds cannot be read" })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("The server answered 503, “database is locked”.")).toBeVisible();
  await expectAccessible(page);
  answers.refused = {};
  await tryAgain(page);
  await expect(page.getByRole("table", { name: "Builds" })).toContainText("Move rounding into the ledger");
  answers.refused = {
    StreamLogs: { status: 403, code: "permission_denied", message: "logs of api are not yours" },
    ExplainStep: { status: 404, code: "not_found", message: "there is no step" },
  };
  await page.getByRole("link", { name: "Move rounding into the ledger" }).click();
  await expect(page.getByRole("heading", { name: "The log cannot be read" })).toBeVisible();
  await expect(page.getByText("Logs of api are not yours.")).toBeVisible();
  await page.getByRole("link", { name: /^build 2 of 2/ }).click();
  await expect(page.getByRole("heading", { name: "The reason cannot be read" })).toBeVisible();
  await expectAccessible(page);
});

test("2. nothing yet, nothing there, not begun", { tag: "@one-width" }, async ({ acme, page }) => {
  const answers = await serve(page);
  for (const id of ["bld_zz9p0qk1m0", "%3Cb%3E", "__proto__"]) {
    await page.goto(acme.at(`builds/${id}`));
    await expect(title(page)).toHaveText("No such build");
    await expect(page.getByRole("main").getByRole("link", { name: "All builds" })).toBeVisible();
  }
  await page.goto(acme.at("builds/bld_q2f7zt5k0w"));
  await expect(page.getByText("Its project's builder is starting.")).toBeVisible();
  await expect(page.getByText("Queued", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.goto(acme.at("builds?q=nothing+like+this"));
  await expect(page.getByRole("heading", { name: /^No builds match/ })).toBeVisible();
  answers.builds = [];
  await page.goto(acme.at("builds"));
  await expect(page.getByRole("heading", { name: "No builds of acme yet" })).toBeVisible();
  await expect(page.getByText("millrace build --save .")).toBeVisible();
  await expectAccessible(page);
});

/** More than any client may send. */
function poison(build: Build, index: number): void {
  const text = [HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3] ?? "";
  Object.assign(build, {
    labels: { title: text, [text]: text },
    branch: text,
    commit_sha: text,
    created_by: text,
    error: `${HOSTILE.markup}\n${HOSTILE.long}`,
    image: build.image && `registry/${text}`,
    save_tags: build.save_tags.map(() => text),
    platforms: build.platforms.map((platform) => (index % 2 ? platform : `linux/${text}`)),
    warnings: [{ message: text, detail: text, url: "javascript:alert(1)", file: text, line: 3 }],
    attestations: [{ type: text, platform: text, digest: text }],
    inputs: {
      frontend: text,
      dockerfile: text,
      target: text,
      arguments: { [text]: text },
      context: text,
      named_contexts: { [text]: text },
    },
    source: { file: text, first_line: 1, lines: [HOSTILE.markup, text], failed_from: 2, failed_to: 2 },
    job: {
      subject: text,
      pull_request: text,
      pull_request_url: "javascript:alert(1)",
      workflow: text,
      run_url: "javascript:alert(1)",
    },
    steps: build.steps.map((step) => ({
      ...step,
      name: `[${text} 1/2] RUN ${HOSTILE.long}${text}`,
      error: text,
    })),
  } satisfies Partial<Build>);
}

test("3. names of bad will", async ({ acme, page, isMobile }) => {
  test.setTimeout(90_000);
  const answers = await serve(page);
  for (const [index, { build, lines }] of answers.builds.entries()) {
    poison(build, index);
    for (const line of lines) line.text = HOSTILE.markup;
  }
  answers.causes = [{ kind: HOSTILE.markup, name: HOSTILE.long, before: HOSTILE.rtl, after: HOSTILE.markup }];
  const { height } = page.viewportSize() ?? { height: 900 };
  for (const path of ["builds", `${RUNNING}?step=4`, FAILED, "builds/bld_m4c7wq2x9e?tab=inputs"])
    await test.step(path, async () => {
      await page.goto(acme.at(path));
      await expect(page.getByText("<img src=x").first()).toBeAttached();
      expect(await page.locator("main img").count()).toBe(0);
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
      await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
      await page.evaluate(() => (document.documentElement.style.fontSize = ""));
      if (!isMobile) return;
      await page.setViewportSize({ width: 320, height });
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 390, height });
    });
  await expect(page.locator('main a[href^="javascript"]')).toHaveCount(0);
  expect(await page.title()).not.toContain("pwned");
});

test("4. offline", { tag: "@one-width" }, async ({ acme, page }) => {
  // It restarts a server.
  test.setTimeout(90_000);
  await serve(page);
  await page.goto(acme.at(RUNNING));
  const elapsed = page.getByRole("definition").filter({ hasText: "usual 52s" });
  await expect(elapsed).toBeVisible();
  await acme.server.stop();
  await expect(page.getByText(/^Connection lost/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("link", { name: /^build 2 of 2, RUN pnpm build, running/ })).toBeVisible();
  let shown: string | null = null;
  // It changes several times a second until the page draws without a connection.
  const hasStopped = async () => {
    const former = shown;
    shown = await elapsed.textContent();
    return shown === former;
  };
  await expect.poll(hasStopped, { intervals: [1_500], timeout: 20_000 }).toBe(true);
  await acme.server.startAgain();
  // The page reconnects on its own, at the latest after half a minute.
  await expect(page.getByText(/^Connection lost/)).toHaveCount(0, { timeout: 40_000 });
  await expect.poll(() => elapsed.textContent()).not.toBe(shown);
});

const LINES = 100_000;

test("5. very many lines", { tag: "@one-width" }, async ({ acme, page }) => {
  test.setTimeout(60_000);
  const answers = await serve(page);
  const failed = answers.find("bld_x8d3rj5w1t");
  const [line] = failed?.lines ?? [];
  if (failed && line)
    failed.lines = Array.from({ length: LINES }, (_, index) => ({
      ...line,
      sequence: String(index + 1),
      text: `compiling module ${index + 1}`,
    }));
  await page.goto(acme.at(`${FAILED}#L99990`));
  const linked = log(page).getByRole("link", { name: "Line 99990", exact: true });
  await expect(linked).toBeInViewport({ timeout: 20_000 });
  expect(await log(page).locator("[data-number]").count()).toBeLessThan(200);
  await page.getByRole("textbox", { name: "Search the log" }).fill("module 4321");
  await expect(page.getByLabel(/^Match 1 of/)).toBeVisible({ timeout: 15_000 });
});

test("6. a log that is cut", { tag: "@one-width" }, async ({ acme, page }) => {
  const answers = await serve(page);
  const running = answers.find("bld_v6n2hk8s4d");
  const lines = running?.lines ?? [];
  if (running) running.lines = lines.slice(0, 216);
  await page.goto(acme.at(RUNNING));
  await expect(log(page)).toContainText("Next.js 16.0.3");
  if (running) running.lines = lines;
  await expect(log(page)).toContainText("Generating static pages using 15 workers (16/64)", {
    timeout: 10_000,
  });
  expect(
    answers.asked.filter(({ method }) => method === "StreamLogs").map(({ request }) => request.after),
  ).toContain("216");
  await expect(log(page).getByText("Next.js 16.0.3")).toHaveCount(1);
});

const MANY = 10_000;

test("7. very many builds", { tag: "@one-width" }, async ({ acme, page }) => {
  test.setTimeout(90_000);
  const answers = await serve(page);
  answers.builds = manyBuilds(MANY, answers.builds.slice(-1));
  await page.goto(acme.at("builds"));
  const results = page.getByRole("group", { name: "Result" });
  await expect(results.getByRole("button").first()).toHaveText("All 10,000");
  const rows = page.getByRole("table", { name: "Builds" }).locator("tbody tr");
  await expect(rows.first()).toContainText("Change number 10000");
  expect(await rows.count()).toBeLessThan(320);
  // The rows read until now are a part; their end asks for more.
  await rows.first().hover();
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 20_000);
        return answers.asked.some(({ request }) => Number(request.page_token) >= 300);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await page.getByRole("textbox", { name: "Filter builds" }).fill("bld_0000009999");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Change number 1");
});

test("8. not allowed, and nothing written", { tag: "@one-width" }, async ({ acme, page }) => {
  const answers = await serve(page);
  const refusal = { status: 403, code: "permission_denied", message: "members of acme may not read builds" };
  answers.refused = { ListBuilds: refusal, GetBuild: refusal };
  for (const path of ["builds", FAILED]) {
    await page.goto(acme.at(path));
    await expect(page.getByText("Members of acme may not read builds.")).toBeVisible({ timeout: 15_000 });
    await expectAccessible(page);
  }
  answers.refused = {};
  const failed = answers.find("bld_x8d3rj5w1t");
  Object.assign(failed?.build ?? {}, {
    steps: [],
    error: "The builder could not be started.",
    source: undefined,
  });
  if (failed) failed.lines = [];
  await page.goto(acme.at(FAILED));
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The builder could not be started.");
  await expect(page.getByText("No step wrote a line.")).toBeVisible();
  await expect(page.getByText("It ended before the builder received its instructions.")).toBeVisible();
  await expectAccessible(page);
});

test("9. names of many builds", async ({ acme, page, isMobile }) => {
  test.setTimeout(90_000);
  const answers = await serve(page);
  answers.builds = manyBuilds(300, answers.builds.slice(4));
  // Later rows are longer than those that the columns were measured for.
  for (const { build } of answers.builds.slice(150))
    Object.assign(build, {
      labels: { title: `${HOSTILE.markup} ${HOSTILE.long}` },
      branch: HOSTILE.long,
      created_by: HOSTILE.long,
      project: "a-project-whose-name-has-the-greatest-length-that-there-is-63-ch",
    } satisfies Partial<Build>);
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  const table = page.getByRole("table", { name: "Builds" });
  const letters = (size: string) =>
    page.evaluate((to) => (document.documentElement.style.fontSize = to), size);
  const expectNames = async (least: number) => {
    await expect.poll(() => narrowestName(page)).toBeGreaterThanOrEqual(least);
    expect(await coveredNames(table)).toEqual([]);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  };
  await page.goto(acme.at("builds"));
  await expect(table).toHaveAttribute("aria-rowcount", "301", { timeout: 15_000 });
  if (isMobile) {
    await expectNames(180);
    await letters("200%");
    return expectNames(180);
  }

  // A quarter of it, as in the design.
  await test.step("1440", () => expectNames(300));
  await test.step("from a phone's width to 1280", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNames(180);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNames(180);
    expect(await cutFigures(table)).toEqual([]);
    const branch = table.getByRole("cell", { name: "renovate/major…po-with-types" }).first();
    await expect(branch).toHaveCSS("text-overflow", "ellipsis");
    await branch.hover();
    await expect(branch).toHaveAttribute("title", "renovate/major…po-with-types");
  });
  const columns = await columnsOf(table);
  await test.step("while rows scroll and filters change", async () => {
    for (const top of [3000, 6000, 20_000, 0]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      await expect(page.getByText(top === 20_000 ? /^Rows .* to 300 of/ : /^Rows \d/)).toBeVisible();
      await expectNames(180);
      expect(await columnsOf(table)).toEqual(columns);
    }
    const filter = page.getByRole("textbox", { name: "Filter builds" });
    await filter.fill("Change number 30");
    await expect(table.locator("tbody tr")).toHaveCount(1);
    await expectNames(180);
    expect(await columnsOf(table)).toEqual(columns);
    await filter.fill("");
    await filter.blur();
    await expect(table).toHaveAttribute("aria-rowcount", "301", { timeout: 15_000 });
    await expectNames(180);
    expect(await columnsOf(table)).toEqual(columns);
  });
  await test.step("keys", async () => {
    for (let row = 0; row < 18; row++) await page.keyboard.press("j");
    const focused = table.getByRole("link", { name: /^Change number 283:/ });
    await expect(focused).toBeFocused();
    await expect(focused).toBeInViewport({ ratio: 1 });
    expect(await coveredNames(table)).toEqual([]);
  });
  await test.step("sideways at 1024", async () => {
    await page.setViewportSize({ width: 1024, height: size.height });
    await expectNames(180);
    const frame = page.getByRole("region", { name: "Builds" });
    await frame.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await expect(table.getByRole("columnheader", { name: "Ago" })).toBeInViewport({ ratio: 1 });
    await expectNames(180);
    await expectAllAccessible(page, { include: "#content", withColours: false });
  });
  await test.step("letters of twice the size", async () => {
    await letters("200%");
    await expectNames(360);
    expect(await cutFigures(table)).toEqual([]);
    await letters("");
    await expectNames(180);
  });
  await page.setViewportSize(size);
  await expectNames(300);
  await table.getByRole("link", { name: /^Change number 283:/ }).click();
  await expect(title(page)).toHaveText(/^Change number 283:/);
});
