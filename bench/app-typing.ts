/**
 * How long a letter typed into a table's search waits for its paint: 10,000 rows, a processor at a quarter of its speed.
 * Prints figures for a reader; nothing is asserted.
 *
 *   npm run node bench/app-typing.ts -- http://localhost:4173
 *
 * The server has to be built with COMPONENT_PAGES=1, as the browser tests build it.
 */
import { chromium } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";

const SLOWDOWN = 4;
const WORDS = ["part 12", "ruth api", "express 9"];
const BETWEEN_LETTERS_MS = 150;
const PAUSE_MS = 600;

const origin = process.argv.at(-1)?.startsWith("http") ? process.argv.at(-1) : "http://localhost:4173";
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${origin}/app/dev/components/table?set=many`);
  const search = page.getByRole("textbox", { name: "Filter builds" });
  await search.click();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.evaluate(() => {
    const waits: number[] = [];
    Object.assign(window, { waits });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "keydown") waits.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (const words of WORDS) {
    await search.fill("");
    await page.keyboard.type(words, { delay: BETWEEN_LETTERS_MS });
    await page.waitForTimeout(PAUSE_MS);
  }
  const waits = await page.evaluate(() => (window as unknown as { waits: number[] }).waits);
  const letters = WORDS.join("").length;
  // Those under 16 ms are not told.
  const sorted = [...Array<number>(Math.max(0, letters - waits.length)).fill(0), ...waits].sort(
    (a, b) => a - b,
  );
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  console.log(`${letters} letters, milliseconds to the paint in steps of 8 (0: under 16):`);
  console.log(`median ${at(0.5)}, 90th percentile ${at(0.9)}, longest ${at(1)}`);
} finally {
  await browser.close();
}
