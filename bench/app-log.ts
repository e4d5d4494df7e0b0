/**
 * Measures a browser's main thread on long logs: logs of 100,000 and 1,000,000 lines scrolled from top to bottom and by jumps,
 * new lines while following, a search, and lines of a million letters; and the page's memory. Starts its own server on the tests'
 * build. Asserts nothing; the browser tests count rows.
 *
 *   COMPONENT_PAGES=1 npm run node bench/app-log.ts
 *   npm run node bench/app-log.ts -- --origin http://localhost:5173       a server with the component pages (`npm run dev`)
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { heapOf, sayTasks, traceTasks } from "./trace-tasks.ts";

const { values: options } = parseArgs({ options: { origin: { type: "string" } } });

const server = options.origin === undefined ? await openServer() : null;
const origin = options.origin ?? server?.origin ?? "";
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
try {
  for (const [name, path] of [
    ["100,000 lines", "log?lines=100000"],
    ["100,000 lines, followed", "log?lines=100000&live=1"],
    ["1,000,000 lines", "log?lines=1000000"],
    ["1,000,000 lines, followed", "log?lines=1000000&live=1"],
    ["a line of a million letters", "log?log=hostile"],
  ] as const)
    await measure(name, path);
} finally {
  await browser.close();
  await server?.close();
}

async function measure(name: string, path: string) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${origin}/app/dev/components/${path}`);
  await page.getByRole("log").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
  console.log(`\n${name}: the page keeps ${await heapOf(page)} MB`);
  const more = page.getByRole("button", { name: /^show all/ });
  if ((await more.count()) > 0) await report(page, "show all", () => more.first().click());
  await report(page, "scroll", () => page.evaluate(scrollThrough));
  const write = page.getByRole("button", { name: "Write 38 lines" });
  if ((await write.count()) > 0)
    await report(page, "38 lines, 20 times", async () => {
      for (let time = 0; time < 20; time++) await write.click();
    });
  await report(page, "search", async () => {
    await page.getByRole("textbox", { name: "Search the log" }).fill("flags with");
    await page.getByRole("status", { name: /^Match/ }).waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  });
  await page.close();
}

async function report(page: Page, name: string, act: () => Promise<unknown>) {
  const tasks = await traceTasks(browser, page, act);
  const rows = await page.locator("[role=log] .log-line").count();
  console.log(`  ${name.padEnd(20)} ${sayTasks(tasks)}, ${rows} rows in the page`);
}

/** Runs in the page: 300 frames from top to bottom, and 100 jumps. */
async function scrollThrough() {
  const body = document.querySelector("[role=log]");
  if (!body) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let step = 0; step < 300; step++) {
    body.scrollTop = step * 60;
    await frame();
  }
  for (let step = 0; step < 100; step++) {
    body.scrollTop = (body.scrollHeight * ((step * 37) % 100)) / 100;
    await frame();
  }
}
