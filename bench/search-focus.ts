/**
 * What happens on the page's own thread between a reader's first Ctrl K and the first hits, with letters 30 ms apart: the longest
 * task and the longest wait of a key until it is painted, at a quarter of the processor's speed. Prints medians and asserts
 * nothing. Each build is served in turn, so that their ratio means something on a busy machine.
 *
 *   npm run node bench/search-focus.ts                             the build of `npm run build`
 *   npm run node bench/search-focus.ts -- --runs 7 ../before/build build   two builds, and their ratio
 *   npm run node bench/search-focus.ts -- --tasks                  also every task over 10 ms of CPU
 */
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { median } from "./builds/table.ts";

const { values, positionals } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    slowdown: { type: "string", default: "4" },
    path: { type: "string", default: "/docs/container-builds/quickstart" },
    tasks: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const WORD = "docker";
const BETWEEN_LETTERS_MS = 30;
const builds = positionals.filter((part) => part !== "--");
if (builds.length === 0) builds.push("build");

interface Figures {
  /** CPU of the longest task, ms. */
  longest: number;
  /** Longest wait until a key's result was painted, ms, in steps of 8. */
  key: number;
  /** CPU of all tasks, ms. */
  sum: number;
  queries: number;
}

const servers = await Promise.all(builds.map((folder) => openServer({ BUILD_DIR: resolve(folder) })));
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
const found = builds.map((): Figures[] => []);
try {
  for (let run = 0; run < Number(values.runs); run++)
    for (const [index, { origin }] of servers.entries()) found[index]?.push(await measure(browser, origin));
} finally {
  await browser.close();
  for (const server of servers) await server.close();
}

console.log(
  `Load ${loadavg()[0]?.toFixed(1)}, ${values.slowdown} times slower, ${values.runs} runs, medians.`,
);
const rows = found.map(
  (figures) =>
    [
      median(figures.map(({ longest }) => longest)),
      median(figures.map(({ key }) => key)),
      median(figures.map(({ sum }) => sum)),
      Math.max(...figures.map(({ queries }) => queries)),
    ] as const,
);
for (const [index, [longest, key, sum, queries]] of rows.entries())
  console.log(
    `${builds[index]}: longest task ${longest.toFixed(0)} ms of CPU, slowest key ${key} ms, ${sum.toFixed(0)} ms in all, at most ${queries} queries`,
  );
const [before, after] = rows;
if (before && after)
  console.log(
    `Second to first: ${before
      .slice(0, 3)
      .map((value, at) => ((after[at] ?? 0) / value).toFixed(2))
      .join(", ")}`,
  );

interface TraceEvent {
  tid: number;
  pid: number;
  ts: number;
  tdur?: number;
  args?: { name?: string };
}

async function measure(within: Browser, origin: string): Promise<Figures> {
  const context = await within.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const texts = new Set<string>();
  page.on("request", (request) => {
    if (!request.url().endsWith("/multi-search")) return;
    const { queries } = JSON.parse(request.postData() ?? "{}") as { queries: { q?: string }[] };
    for (const { q } of queries) if (q) texts.add(q);
  });
  await page.goto(origin + values.path, { waitUntil: "networkidle" });
  await page.evaluate(() => {
    const waits: number[] = [];
    Object.assign(window, { waits });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (/^(?:key|focus|input)/.test(name)) waits.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: Number(values.slowdown) });
  await within.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await page.keyboard.press("Control+k");
  await page.keyboard.type(WORD, { delay: BETWEEN_LETTERS_MS });
  await page.getByRole("option").first().waitFor();
  const trace = JSON.parse((await within.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = trace.traceEvents.find(({ args }) => args?.name === "CrRendererMain");
  const times = trace.traceEvents
    .filter(({ tid, pid }) => tid === main?.tid && pid === main?.pid)
    .flatMap(({ tdur }) => (tdur === undefined ? [] : tdur / 1000));
  if (values.tasks)
    console.log(
      times
        .filter((time) => time > 10)
        .map((time) => time.toFixed(0))
        .join(" "),
    );
  await page.waitForTimeout(300);
  const waits = await page.evaluate(() => (window as unknown as { waits: number[] }).waits);
  await context.close();
  return {
    longest: Math.max(...times),
    key: Math.max(0, ...waits),
    sum: times.reduce((sum, time) => sum + time, 0),
    queries: texts.size,
  };
}
