/**
 * Measures a browser's main thread while a build of 500 steps on two platforms runs: its timeline and its log, replayed ten times
 * as fast, all steps open, for ten seconds; then scrolled and folded. In milliseconds of CPU. Starts its own server on the tests'
 * build, and asserts nothing.
 *
 *   COMPONENT_PAGES=1 npm run node bench/app-timeline.ts
 *   COMPONENT_PAGES=1 npm run node bench/app-timeline.ts -- --speed 1       at its original speed
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { heapOf, sayTasks, traceTasks } from "./trace-tasks.ts";

const { values: options } = parseArgs({ options: { speed: { type: "string", default: "10" } } });
const RUN_MS = 10_000;

const server = await openServer();
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
try {
  const page = await open(`timeline?build=many&play=${options.speed}`);
  await report(page, "runs, as it opens", () => wait(page, RUN_MS / 4));
  await page.getByRole("button", { name: "E open all" }).click();
  await report(page, "runs, all steps open", () => wait(page, (RUN_MS * 3) / 4));
  await page.close();
  const done = await open("timeline?build=many");
  const all = done.getByRole("button", { name: "E open all" });
  await report(done, "open all", () => all.click());
  await report(done, "scroll", () => done.evaluate(scrollDown));
  await report(done, "critical path only", () =>
    done.getByRole("button", { name: "P critical path only" }).click(),
  );
  console.log(`  the page keeps ${await heapOf(done)} MB`);
} finally {
  await browser.close();
  await server.close();
}

async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.origin}/app/dev/components/${path}`);
  await page.getByRole("region", { name: "Steps of the build on a time axis" }).waitFor();
  return page;
}

function wait(page: Page, ms: number) {
  return page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), ms);
}

async function report(page: Page, name: string, act: () => Promise<unknown>) {
  const tasks = await traceTasks(browser, page, act);
  const rows = await page.locator(".timeline-step").count();
  console.log(`  ${name.padEnd(20)} ${sayTasks(tasks)}, ${rows} rows in the page`);
}

/** Runs in the page: 200 frames from top to bottom. */
async function scrollDown() {
  for (let step = 0; step < 200; step++) {
    document.scrollingElement?.scrollTo(0, (document.scrollingElement.scrollHeight * step) / 200);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
