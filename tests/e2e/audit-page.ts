import { createServer, type AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof categories)[number];

export interface Audit {
  /** Points out of 100. */
  scores: { [category in Category]?: number };
  /** Audits that cost points: "image-alt: Image elements do not have [alt] attributes", then Lighthouse's findings. */
  failures: string[];
  /** Milliseconds of the simulated phone; absent without the category "performance". */
  timings: { [name: string]: number };
}

/**
 * Lighthouse on one page of a running site, as a phone on slow 4G.
 * @throws Error when the page cannot be loaded.
 */
export async function auditPage(url: string, only: readonly Category[], browserPath: string): Promise<Audit> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      `--remote-debugging-port=${port}`,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
    ],
  });
  try {
    const result = await lighthouse(url, {
      port,
      onlyCategories: [...only],
      logLevel: "error",
      output: "json",
    });
    if (!result || result.lhr.runtimeError)
      throw new Error(
        `Lighthouse could not load ${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`,
      );
    return readResult(result.lhr);
  } finally {
    await browser.close();
  }
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"];

function readResult(result: Result): Audit {
  const scores: Audit["scores"] = {};
  const failures: string[] = [];
  for (const name of categories) {
    const category = result.categories[name];
    if (!category) continue;
    scores[name] = Math.round((category.score ?? 0) * 100);
    for (const { id, weight } of category.auditRefs) {
      const audit = result.audits[id];
      if (weight === 0 || !audit || audit.score === null || audit.score >= 0.9) continue;
      failures.push(`${id}: ${audit.title} ${JSON.stringify(audit.details ?? "").slice(0, 600)}`);
    }
  }
  const timings = Object.fromEntries(
    ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"].flatMap(
      (id) => {
        const value = result.audits[id]?.numericValue;
        return value === undefined ? [] : [[id, Math.round(value)]];
      },
    ),
  );
  return { scores, failures, timings };
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo; // it listens on a port
      probe.close(() => resolve(port));
    });
  });
}
