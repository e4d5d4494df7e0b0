/**
 * How long until a screen of the application shows real data, on a warm server, with a slow phone's processor (4 times
 * slower) and network (Lighthouse's slow 4G: 1.6 Mbit/s down, 0.75 up, 150 ms). Prints figures and asserts nothing; sizes
 * are asserted in tests/e2e/app-weight.spec.ts. It starts a server of its own over the tests' build.
 *
 *   npm run node bench/app-first-paint.ts
 */
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { acmeRecords, cookieOf } from "../tests/fixtures/acme-records.ts";
import { replaceRecords } from "../tests/fixtures/replace-records.ts";

const RUNS = 5;
const CPU_SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};

/** A screen, and a text that is only there once its data is. */
const SCREENS: readonly [path: string, text: RegExp][] = [
  ["/app/acme", /CLI on ada-mbp|ada on ada-mbp|What the server hears/],
  ["/app/acme/projects", /prj_7q4hx2n9ds/],
  ["/app/acme/settings/tokens", /staging-deploy/],
  ["/app/acme/settings/members", /Tomás Rey/],
  ["/app/acme/settings/audit", /10\.0\.4\.17/],
];

const server = await openServer();
replaceRecords(join(server.dataDir, "millrace.db"), acmeRecords(Date.now(), server.origin));
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
try {
  for (const [path, text] of SCREENS) {
    const runs: Measured[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      await context.addCookies([{ name: "millrace-session", value: cookieOf("ada"), url: server.origin }]);
      const measured = await measure(context, server.origin + path, text);
      // The first one warms the server.
      if (run > 0) runs.push(measured);
      await context.close();
    }
    const middle = (name: keyof Measured) =>
      runs.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
    const figures = `first paint ${middle("paint")} ms, data ${middle("data")} ms`;
    console.log(
      `${path.padEnd(28)} ${figures}, shift ${middle("shift").toFixed(4)}, ${middle("bytes")} bytes`,
    );
  }
} finally {
  await browser.close();
  await server.close();
}

interface Measured {
  /** First contentful paint, in milliseconds since the navigation. */
  paint: number;
  /** When the text was there. */
  data: number;
  /** Sum of layout shifts. */
  shift: number;
  /** Of all answers, as sent. */
  bytes: number;
}

async function measure(context: BrowserContext, address: string, text: RegExp): Promise<Measured> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await page.addInitScript(
    ({ source }) => {
      const wanted = new RegExp(source);
      const marks = window as unknown as { dataAt?: number; shift: number };
      marks.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) marks.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
      const look = () => {
        if (document.body && wanted.test(document.body.innerText)) marks.dataAt = performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { source: text.source },
  );
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => "dataAt" in window, undefined, { timeout: 60_000 });
  const { paint, data, shift } = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    data: (window as unknown as { dataAt: number }).dataAt,
    shift: (window as unknown as { shift: number }).shift,
  }));
  return { paint: Math.round(paint), data: Math.round(data), shift, bytes };
}
