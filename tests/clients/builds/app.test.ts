/**
 * The application while real builds run: the production server, `buildkitd`, Docker's buildx behind the built CLI, and
 * a browser. A step continues when the test says so, so that each page is seen in the middle.
 *
 * 1. The list shows a build without a reload, and its page the steps and lines as they arrive; a reload in the middle
 *    shows the same, each line once; the end is announced, and the checklist ticks its first build.
 * 2. A failure is shown first as soon as it happens: the exit code, the lines of the Dockerfile, a link into the log,
 *    the last success, what its step wrote last, and where it had failed before.
 * 3. Cancel stops the step on the builder and its client, and says who did it.
 * 4. After a change of one file the page names it, says what came from the cache, and draws the former build below.
 */
import { rmSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findBuildx } from "../registry/tools.ts";
import { type AppStage, goOn, isPaused, openAppStage, pause } from "./app-stage.ts";
import { type BuildTools, findBuildTools } from "./machine-stage.ts";

const TEST_MS = 180_000;
const buildx = await findBuildx();
const tools: BuildTools | null = buildx ? await findBuildTools() : null;

afterAll(() => {
  if (tools) rmSync(tools.folder, { recursive: true, force: true });
});

const idOf = (text: string) => /bld_[0-9a-z]{10}/.exec(text)?.[0] ?? text;

/** A builder may take its time. */
const patient = expect.configure({ timeout: 60_000 });

describe.runIf(tools)("the pages of builds", { timeout: TEST_MS }, () => {
  let stage: AppStage;
  let page: Page;

  beforeAll(async () => {
    stage = await openAppStage(tools!, buildx!);
    ({ page } = stage);
  }, 600_000);
  afterAll(() => stage?.close(), TEST_MS);

  const at = (path: string) => `${stage.origin}/app/acme${path}`;
  const steps = () => page.getByRole("region", { name: /^Steps of the build/ });
  const log = () => page.getByRole("log", { name: "Lines" });
  const lineOf = (text: string) => log().getByText(text, { exact: true });

  /** Opens a build from the list, where it appears without a reload. */
  async function openRunning(): Promise<void> {
    const lane = page.getByRole("region", { name: "Running now" }).getByRole("link");
    await patient(lane).toHaveCount(1);
    await lane.click();
    await patient(page.getByRole("button", { name: "Cancel build" })).toBeVisible();
  }

  test("1. it runs, and succeeds", async () => {
    await page.goto(at("?checklist=1"));
    await expect(page.getByText("Waiting for your first login from a terminal")).toBeVisible();
    await page.goto(at("/builds"));
    await expect(page.getByRole("heading", { name: "No builds of acme yet" })).toBeVisible();
    const work = `echo one; ${pause(30_001)}; echo two; ${pause(30_002)}; echo three`;
    const built = stage.build(`FROM base\nCOPY a.txt /a.txt\nRUN ${work}\nRUN echo last\n`, { "a.txt": "a" });
    await openRunning();
    await patient(lineOf("one")).toBeVisible();
    await expect(steps().getByRole("link", { name: /COPY a\.txt.*worked/ })).toBeVisible();
    await expect(steps().getByRole("link", { name: /RUN echo one.*running/ })).toBeVisible();
    await expect(steps().getByRole("link", { name: /RUN echo last/ })).toHaveCount(1);
    await expect(lineOf("two")).toHaveCount(0);
    await goOn(30_001);
    await patient(lineOf("two")).toBeVisible();
    await page.reload();
    await patient(lineOf("two")).toBeVisible();
    for (const text of ["one", "two"]) await expect(lineOf(text)).toHaveCount(1);
    await goOn(30_002);
    await patient(lineOf("three")).toBeVisible();
    await patient(page.locator("#announcer")).toContainText(/^Build succeeded in/);
    await expect(steps().getByRole("link", { name: /RUN echo one.*worked/ })).toBeVisible();
    for (const text of ["one", "two", "three"]) await expect(lineOf(text)).toHaveCount(1);
    expect(await built.ended, built.output()).toBe(0);
    await page.goto(at("?checklist=1"));
    await expect(page.getByRole("heading", { name: /^Build an image\s*, done$/ })).toBeVisible();
  });

  test("2. it fails", async () => {
    await page.goto(at("/builds"));
    const work = `echo first; ${pause(30_003)}; echo "src/pay.ts:7:3: error: no such name" >&2; exit 3`;
    const built = stage.build(`FROM base\nCOPY a.txt /a.txt\n\nRUN ${work}\n\nRUN echo never\n`, {
      "a.txt": "a",
    });
    await openRunning();
    await patient(lineOf("first")).toBeVisible();
    const failure = page.getByRole("main").getByRole("alert");
    await expect(failure).toHaveCount(0);
    await goOn(30_003);
    await patient(failure.getByRole("heading")).toHaveText(/exited with code 3$/);
    await expect(failure).toContainText("src/pay.ts:7:3: error: no such name");
    const lines = failure.getByRole("figure", { name: "Dockerfile:4" });
    await patient(lines).toContainText("> 4RUN echo first");
    await expect(lines).toContainText("2COPY a.txt /a.txt");
    await expect(failure).toContainText("Last success of this project: bld_");
    await failure.getByRole("link", { name: /^Line \d+$/ }).click();
    await expect(log().getByText("src/pay.ts:7:3: error: no such name", { exact: true })).toBeInViewport();
    expect(await built.ended).not.toBe(0);
    // A later visitor sees the same.
    await page.reload();
    await expect(lines).toContainText("> 4RUN echo first");
    // A step that names no error shows what it wrote last, and how often it had failed.
    const again = "FROM base\nRUN echo no such luck; exit 4\n";
    const one = stage.build(again);
    expect(await one.ended).not.toBe(0);
    await page.goto(at(`/builds/${idOf(one.output())}`));
    await patient(failure).toContainText("no such luck");
    await expect(failure).not.toContainText("This step failed");
    await expect(lineOf("no such luck")).toHaveCount(1);
    await expect(log()).not.toContainText("ERROR: ");
    const two = stage.build(again);
    expect(await two.ended).not.toBe(0);
    await page.goto(at(`/builds/${idOf(two.output())}`));
    await patient(failure).toContainText(`This step failed before, in ${idOf(one.output())}.`);
  });

  test("3. it is canceled", async () => {
    await page.goto(at("/builds"));
    const built = stage.build(`FROM base\nRUN echo begun; ${pause(30_004)}; ${pause(30_005)}\n`);
    await openRunning();
    await patient(lineOf("begun")).toBeVisible();
    await page.getByRole("button", { name: "Cancel build" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the build" }).click();
    await patient(page.getByText("canceled by ada")).toBeVisible();
    await patient.poll(() => isPaused(30_004)).toBe(false);
    expect(await built.ended).not.toBe(0);
    await expect(page.getByRole("button", { name: "Cancel build" })).toHaveCount(0);
    expect(isPaused(30_005)).toBe(false);
  });

  test("4. it comes from the cache but for one file", async () => {
    const dockerfile = "FROM base\nRUN echo installed\nCOPY app.txt /app.txt\nRUN cat /app.txt\n";
    const first = stage.build(dockerfile, { "app.txt": "one" });
    expect(await first.ended, first.output()).toBe(0);
    const second = stage.build(dockerfile, { "app.txt": "two" });
    expect(await second.ended, second.output()).toBe(0);
    await page.goto(at(`/builds/${idOf(second.output())}`));
    const step = page.getByRole("region", { name: "Step", exact: true });
    await patient(step).toContainText("app.txt");
    await expect(step.getByRole("heading")).toHaveText("Why was this step not cached?");
    await expect(step).toContainText(`Compared with ${idOf(first.output())}`);
    await page.getByRole("button", { name: "Compared with nothing, change" }).click();
    await page.getByRole("menuitemradio", { name: /the build before/ }).click();
    const compared = page.getByRole("region", {
      name: `Steps of the build beside those of ${idOf(first.output())}`,
    });
    await expect(compared.getByRole("link", { name: /COPY app\.txt.*first to run again/ })).toBeVisible();
    await compared.getByRole("button", { name: "E open all" }).click();
    await expect(compared.getByRole("link", { name: /RUN echo installed.*cached/i })).toBeVisible();
  });
});
