/**
 * How long a letter typed into a table's search and into the command menu waits to be painted: 10,000 rows, 10,000 projects, by
 * default a processor at a quarter of its speed. Prints figures and asserts nothing. Starts its own server on the tests' build.
 *
 *   COMPONENT_PAGES=1 npm run node bench/app-typing.ts
 *   COMPONENT_PAGES=1 npm run node bench/app-typing.ts -- --slowdown 1  the processor at full speed
 *   COMPONENT_PAGES=1 npm run node bench/app-typing.ts -- --trace       also where the time went
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { acmeRecords, cookieOf } from "../tests/fixtures/acme-records.ts";
import { replaceRecords } from "../tests/fixtures/replace-records.ts";

const { values: options } = parseArgs({
  options: { trace: { type: "boolean", default: false }, slowdown: { type: "string", default: "4" } },
});

const SLOWDOWN = Number(options.slowdown);
const PROJECTS = 10_000;
const BETWEEN_LETTERS_MS = 150;
const PAUSE_MS = 600;
const ROUNDS = 3;
const NAMES = ["web", "api", "worker", "checkout", "search", "billing", "mobile", "infra"];

const server = await openServer();
replaceRecords(join(server.dataDir, "millrace.db"), acmeRecords(Date.now(), server.origin));
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}. Milliseconds to the paint, in steps of 8.`);
try {
  const table = await open("/app/dev/components/table?set=many");
  const search = table.getByRole("textbox", { name: "Filter builds" });
  await search.click();
  await measure({ name: "filter", page: table, field: search, words: ["part 12", "ruth api", "express 9"] });
  await table.close();

  const menu = await open("/app/acme/projects");
  await menu.getByText("10,000").first().waitFor();
  await menu.keyboard.press("Control+K");
  const field = menu.getByRole("combobox", { name: "Search or run" });
  await field.waitFor();
  await measure({ name: "command menu", page: menu, field, words: ["web 12", "e", "s", "checkout", "b 7"] });
} finally {
  await browser.close();
  await server.close();
}

async function open(path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "millrace-session", value: cookieOf("ada"), url: server.origin }]);
  const page = await context.newPage();
  await page.route("**/api/millrace.v1.ProjectService/List", (route) =>
    route.fulfill({ json: { projects: manyProjects(), next_page_token: "" } }),
  );
  await page.goto(server.origin + path);
  return page;
}

function manyProjects() {
  return Array.from({ length: PROJECTS }, (_, index) => ({
    id: `prj_${index.toString(36).padStart(10, "0")}`,
    name: `${NAMES[index % NAMES.length]}-${index}`,
    builder_size: 4,
    cache_size_bytes: "50000000000",
    retention_days: 14,
    created_at: "2026-11-01T08:00:00Z",
    revision: "1",
    trust_relationships: [],
  }));
}

interface Typing {
  name: string;
  page: Page;
  field: ReturnType<Page["getByRole"]>;
  words: readonly string[];
}

async function measure({ name, page, field, words }: Typing): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.evaluate(() => {
    const waits: number[] = [];
    Object.assign(window, { waits });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "keydown") waits.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  if (options.trace) await browser.startTracing(page, { categories: ["devtools.timeline", "__metadata"] });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const each of words) {
      await field.fill("");
      await page.waitForTimeout(PAUSE_MS);
      await page.keyboard.type(each, { delay: BETWEEN_LETTERS_MS });
      await page.waitForTimeout(PAUSE_MS);
    }
  const waits = await page.evaluate(() => (window as unknown as { waits: number[] }).waits);
  const letters = words.join("").length * ROUNDS;
  // The browser does not report waits under 16 ms.
  const sorted = [...Array<number>(Math.max(0, letters - waits.length)).fill(0), ...waits].toSorted(
    (a, b) => a - b,
  );
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  console.log(
    `${name}: ${letters} letters, median ${at(0.5)}, 90th percentile ${at(0.9)}, longest ${at(1)} (0: under 16)`,
  );
  if (options.trace) printTrace(await browser.stopTracing());
}

/** Prints the page thread's self time per kind of work: the 20 largest sums. */
function printTrace(trace: Buffer): void {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = traceEvents.find(({ args }) => args?.name === "CrRendererMain");
  const events = traceEvents
    .filter(({ ph, tid, pid }) => ph === "X" && tid === main?.tid && pid === main?.pid)
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const totals = new Map<string, number>();
  const open: { name: string; end: number }[] = [];
  const add = (name: string, ms: number) => totals.set(name, (totals.get(name) ?? 0) + ms / 1000);
  for (const { name, ts, dur = 0, args } of events) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= ts) open.pop();
    const own = name === "EventDispatch" ? `${name} ${args?.data?.type ?? ""}` : name;
    add(own, dur);
    const outer = open.at(-1);
    if (outer) add(outer.name, -dur);
    open.push({ name: own, end: ts + dur });
  }
  for (const [name, ms] of [...totals].toSorted(([, a], [, b]) => b - a).slice(0, 20))
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${name}`);
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  args?: { name?: string; data?: { type?: string } };
}
