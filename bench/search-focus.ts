/**
 * What happens on the page's own thread between a reader's first Ctrl K and the first hits, with letters 30 ms apart. Prints medians
 * of the thread's time, which other programs change less than the time that passes, and asserts nothing. Each build is served in turn.
 *
 *   npm run node bench/search-focus.ts                                   the build of `npm run build`
 *   npm run node bench/search-focus.ts -- --runs 7 .cache/before build   two builds, inside the project's folder, and their ratio
 *   npm run node bench/search-focus.ts -- --tasks                        also every task over 10 ms
 *
 * The browser is driven by its protocol alone: a test tool's own scripts would be tasks of the page, and the domains that it switches
 * on make every request and every error in the page record where it came from.
 */
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openServer } from "../tests/e2e/console-server.ts";
import { median } from "./builds/table.ts";
import { openBrowser, type TraceEvent, wait } from "./protocol-browser.ts";

const { values, positionals } = parseArgs({
  options: {
    runs: { type: "string", default: "7" },
    path: { type: "string", default: "/docs/container-builds/quickstart" },
    tasks: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const WORD = "docker";
const BETWEEN_LETTERS_MS = 30;
/** A phone of the middle price, or the tools' "4x slowdown": the thread's time on this machine, times four. */
const SLOWER = 4;
const builds = positionals.filter((part) => part !== "--");
if (builds.length === 0) builds.push("build");

/** Thread time in ms, at a quarter of this machine's speed. */
interface Figures {
  longest: number;
  /** Sum of what each task has above 50 ms. */
  blocked: number;
  sum: number;
  queries: number;
}

const servers = await Promise.all(builds.map((folder) => openServer({ BUILD_DIR: resolve(folder) })));
const browser = await openBrowser();
const found = builds.map((): Figures[] => []);
try {
  for (let run = 0; run < Number(values.runs); run++)
    for (const [index, { origin }] of servers.entries()) found[index]?.push(await measure(origin));
} finally {
  await browser.close();
  for (const server of servers) await server.close();
}

console.log(
  `Load ${loadavg()[0]?.toFixed(1)}, ${values.runs} runs, medians, the thread's time times ${SLOWER}.`,
);
const rows = found.map((figures) => ({
  longest: median(figures.map(({ longest }) => longest)),
  blocked: median(figures.map(({ blocked }) => blocked)),
  sum: median(figures.map(({ sum }) => sum)),
  queries: Math.max(...figures.map(({ queries }) => queries)),
}));
for (const [index, { longest, blocked, sum, queries }] of rows.entries())
  console.log(
    `${builds[index]}: longest task ${longest.toFixed(0)} ms, ${blocked.toFixed(0)} ms above 50 ms a task, ${sum.toFixed(0)} ms in all, at most ${queries} queries`,
  );
const [before, after] = rows;
if (before && after)
  console.log(
    `Second to first: longest ${(after.longest / before.longest).toFixed(2)}, in all ${(after.sum / before.sum).toFixed(2)}`,
  );

async function measure(origin: string): Promise<Figures> {
  const page = await browser.openPage(origin + values.path);
  await page.evaluate(`window.shown = new Promise((resolve) =>
    new MutationObserver(() => document.querySelector("[role=option]") && resolve())
      .observe(document.body, { childList: true, subtree: true })); 0`);
  const events = await browser.trace(async () => {
    const shown = page.evaluate("shown");
    await page.press("Control", 2);
    await page.press("k", 2);
    for (const letter of WORD) {
      await page.press(letter);
      await wait(BETWEEN_LETTERS_MS);
    }
    await shown;
    await wait(600);
  });
  const queries = await page.evaluate(
    `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/multi-search")).length`,
  );
  await page.close();
  const times = tasksOf(events).map((time) => time * SLOWER);
  if (values.tasks) console.log(...times.filter((time) => time > 10).map((time) => time.toFixed(0)));
  return {
    longest: Math.max(...times),
    blocked: times.reduce((sum, time) => sum + Math.max(0, time - 50), 0),
    sum: times.reduce((sum, time) => sum + time, 0),
    queries: Number(queries) - 1, // One asks for the facets.
  };
}

/** Thread time of each task of the busiest page, ms. */
function tasksOf(events: TraceEvent[]): number[] {
  const ofPages = events.filter(({ args }) => args?.name === "CrRendererMain");
  const byPage = ofPages.map((main) =>
    events
      .filter(
        ({ name, ph, pid, tid }) =>
          name.endsWith("RunTask") && ph === "X" && pid === main.pid && tid === main.tid,
      )
      .map(({ tdur = 0 }) => tdur / 1000),
  );
  const total = (times: number[]) => times.reduce((sum, time) => sum + time, 0);
  return byPage.toSorted((a, b) => total(b) - total(a))[0] ?? [];
}
