/**
 * How long until a screen of the application shows real data, on a warm server, with a slow phone's processor (4 times
 * slower) and network (Lighthouse's slow 4G: 1.6 Mbit/s down, 0.75 up, 150 ms) and an empty cache. Prints figures and
 * asserts nothing; sizes are asserted in tests/e2e/app-weight.spec.ts. It starts a server of its own over the tests' build.
 * A plain loop is timed before each run: figures from different hours are comparable if their loops took the same time.
 *
 *   npm run node bench/app-first-paint.ts                   all screens, one line each
 *   npm run node bench/app-first-paint.ts -- --requests     and when each file of the last run was requested, sent and received
 *   npm run node bench/app-first-paint.ts -- --only tokens  only screens whose address matches
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { ACME, acmeRecords, cookieOf } from "../tests/fixtures/acme-records.ts";
import { replaceRecords } from "../tests/fixtures/replace-records.ts";

const { values: options } = parseArgs({
  options: { requests: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});

const RUNS = 5;
const CPU_SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};

interface Screen {
  path: string;
  /** Appears only once the screen has its data. */
  text: RegExp;
  /** After the getting-started list was dismissed. */
  isLater?: true;
}

const SCREENS: readonly Screen[] = [
  { path: "/app/acme", text: /What the server hears|Latest changes/ },
  { path: "/app/acme", text: /Latest changes/, isLater: true },
  { path: "/app/acme/projects", text: /prj_7q4hx2n9ds/ },
  // The project itself, then the requests that need its id.
  { path: "/app/acme/projects/web", text: /prj_7q4hx2n9ds/ },
  { path: "/app/acme/projects/web", text: /refs\/heads\/main/ },
  { path: "/app/acme/settings/tokens", text: /staging-deploy/ },
  { path: "/app/acme/settings/members", text: /Tomás Rey/ },
  { path: "/app/acme/settings/audit", text: /sam@acme\.example/ },
  { path: "/app/acme/usage", text: /Jobs that asked for a token/ },
  { path: "/app/me", text: /MacBook/ },
];

interface Measured {
  /** The plain loop before the run. */
  loop: number;
  /** First contentful paint, in milliseconds since the navigation. */
  paint: number;
  /** The frame after the text appeared. */
  data: number;
  /** Sum of layout shifts. */
  shift: number;
  /** Size of all responses, as sent. */
  bytes: number;
  requests: string[];
}

const server = await openServer();
replaceRecords(join(server.dataDir, "millrace.db"), acmeRecords(Date.now(), server.origin));
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}. Milliseconds, medians of ${RUNS} runs.`);
try {
  const only = new RegExp(options.only);
  for (const screen of SCREENS.filter(({ path }) => only.test(path))) {
    const runs: Measured[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      await context.addCookies([{ name: "millrace-session", value: cookieOf("ada"), url: server.origin }]);
      const loop = timeLoop();
      const measured = { loop, ...(await measure(context, screen)) };
      // The first run warms the server.
      if (run > 0) runs.push(measured);
      await context.close();
    }
    report(screen, runs);
  }
} finally {
  await browser.close();
  await server.close();
}

function report({ path, isLater }: Screen, runs: readonly Measured[]): void {
  const of = (name: "loop" | "paint" | "data" | "shift" | "bytes") =>
    runs.map((each) => each[name]).toSorted((a, b) => a - b);
  const middle = (values: readonly number[]) => values[Math.floor(values.length / 2)] ?? 0;
  const data = of("data");
  const loop = of("loop");
  console.log(
    [
      (isLater ? `${path} (list away)` : path).padEnd(28),
      `first paint ${middle(of("paint"))}`,
      `data ${middle(data)} (${data[0]} to ${data.at(-1)})`,
      `shift ${middle(of("shift")).toFixed(4)}`,
      `${(middle(of("bytes")) / 1024).toFixed(0)} KB`,
      `loop ${middle(loop)} (${loop[0]} to ${loop.at(-1)})`,
    ].join(", "),
  );
  if (options.requests) for (const line of runs.at(-1)?.requests ?? []) console.log(`  ${line}`);
}

/** How fast the machine is at the moment, in milliseconds. */
function timeLoop(): number {
  const started = performance.now();
  let sum = 0;
  for (let step = 0; step < 100_000_000; step += 1) sum = (sum + step) | 0;
  return Math.round(performance.now() - started) + sum * 0;
}

async function measure(
  context: BrowserContext,
  { path, text, isLater }: Screen,
): Promise<Omit<Measured, "loop">> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await page.addInitScript(watchForText, {
    source: text.source,
    hiddenKey: isLater ? `millrace-checklist-hidden:${ACME.id}` : "",
  });
  await page.goto(server.origin + path, { waitUntil: "commit" });
  await page.waitForFunction(() => "dataAt" in window, undefined, { timeout: 60_000 });
  const { marks, paint, requests } = await page.evaluate(() => ({
    // The window as a whole cannot be serialized.
    marks: (({ dataAt, shift }) => ({ dataAt, shift }))(
      window as unknown as { dataAt: number; shift: number },
    ),
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    requests: performance.getEntriesByType("resource").map((entry) => {
      const { name, startTime, requestStart, responseEnd } = entry as PerformanceResourceTiming;
      return `${[startTime, requestStart, responseEnd].map(Math.round).join(", ")}  ${new URL(name).pathname}`;
    }),
  }));
  return { paint: Math.round(paint), data: Math.round(marks.dataAt), shift: marks.shift, bytes, requests };
}

/** Runs in the page, before its own code. */
function watchForText({ source, hiddenKey }: { source: string; hiddenKey: string }): void {
  if (hiddenKey) localStorage.setItem(hiddenKey, "1");
  const wanted = new RegExp(source);
  const marks = window as unknown as { dataAt?: number; shift: number };
  marks.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) marks.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
  const observer = new MutationObserver(() => {
    if (!wanted.test(document.querySelector("#frame")?.textContent ?? "")) return;
    observer.disconnect();
    // The second frame begins once the first frame, with the text, is drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => (marks.dataAt = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}
