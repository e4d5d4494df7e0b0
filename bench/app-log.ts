/**
 * Prints what the log of a build costs a browser: 100,000 lines, and lines of a million letters. Long tasks are those that took
 * the processor more than 50 ms. It asserts nothing; the browser tests count rows.
 *
 *   npm run node bench/app-log.ts -- --origin http://localhost:5173       a server with the component pages (`npm run dev`)
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";

const { values: options } = parseArgs({
  options: { origin: { type: "string", default: "http://localhost:3000" } },
});

const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
try {
  for (const [name, path] of [
    ["100,000 lines", "log?lines=100000"],
    ["100,000 lines, followed", "log?lines=100000&live=1"],
    ["a line of a million letters", "log?log=hostile"],
  ] as const)
    await measure(name, path);
} finally {
  await browser.close();
}

async function measure(name: string, path: string) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${options.origin}/app/dev/components/${path}`);
  await page.getByRole("log").waitFor();
  await page.waitForLoadState("networkidle");
  console.log(`\n${name}`);
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

/** Tasks by the processor's time that they took: a machine that is busy with something else changes nothing. */
async function report(page: Page, name: string, act: () => Promise<unknown>) {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = trace.traceEvents.find(({ args }) => args?.name === "CrRendererMain");
  const tasks = trace.traceEvents
    .filter(({ tid, pid, tdur }) => tid === main?.tid && pid === main?.pid && tdur !== undefined)
    .map(({ tdur = 0 }) => tdur / 1000);
  const rows = await page.locator("[role=log] .ll").count();
  const longest = tasks.reduce((most, time) => Math.max(most, time), 0);
  const long = tasks.filter((time) => time > 50).length;
  console.log(
    `  ${name.padEnd(20)} ${long} long tasks, longest ${longest.toFixed(1)} ms, ${rows} rows in the page`,
  );
}

interface TraceEvent {
  tid: number;
  pid: number;
  /** Of the processor, microseconds. */
  tdur?: number;
  args?: { name?: string };
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
