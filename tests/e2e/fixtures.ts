import type { Page, Request } from "@playwright/test";
import { expect, test as base } from "./worker.ts";

export { expect };
export const origin = `http://localhost:${process.env["E2E_PORT"] ?? "4173"}`;

interface Fixtures {
  /** Console errors that a test expects; any other error fails it. */
  expectedErrors: RegExp | null;
  /** The reader's earlier answer; null: they are asked. */
  consent: "necessary" | "analytics" | "analytics recording" | null;
  docs: DocsPage;
}

export const test = base.extend<Fixtures>({
  expectedErrors: [null, { option: true }],
  consent: ["necessary", { option: true }],
  page: async ({ page, baseURL, expectedErrors, consent }, use) => {
    const own = baseURL ?? origin;
    const errors: string[] = [];
    if (consent)
      await page.addInitScript((choice) => {
        // A frame without its own origin has no storage.
        if (self === top) localStorage["millrace-consent"] ??= choice;
      }, consent);
    await page.addInitScript(passForReader);
    page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || /hydrat/i.test(message.text())) errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(own) && !request.url().startsWith("data:"))
        errors.push(`request to another origin: ${request.url()}`);
    });
    await use(page);
    expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
  },
  docs: async ({ page }, use) => use(new DocsPage(page)),
});

/** The headless shell calls itself a bot, and bots are not counted. Runs in the page. */
function passForReader() {
  const { userAgentData } = navigator as { userAgentData?: { brands: { brand: string }[] } };
  if (userAgentData?.brands.some(({ brand }) => brand.startsWith("Headless")))
    Object.defineProperty(Navigator.prototype, "userAgentData", { get: () => undefined });
}

/** The documentation as a reader uses it. */
export class DocsPage {
  readonly page: Page;
  readonly searchBox;
  readonly tree;
  readonly article;
  readonly results;

  constructor(page: Page) {
    this.page = page;
    this.searchBox = page.getByRole("combobox", { name: "Search docs" });
    this.tree = page.getByRole("navigation", { name: "Documentation" });
    this.article = page.getByRole("article");
    this.results = page.getByRole("region", { name: "Search results" });
  }

  async open(path = "/docs") {
    await this.page.goto(path);
  }

  /** Opens a page and waits until React runs, as after a reader's first movement. */
  async openHydrated(path = "/docs") {
    await this.open(path);
    await this.hydrate();
  }

  async hydrate() {
    // The first position of a pointer may be its resting place.
    await this.page.mouse.move(200, 200);
    await this.page.mouse.move(201, 200);
    await this.page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
  }

  link(name: string) {
    return this.tree.getByRole("link", { name, exact: true });
  }

  /** The hits that the panel lists. */
  hits() {
    return this.results.getByRole("option");
  }
}

/** A mark on the window that a full page load would lose. */
export async function markWindow(page: Page) {
  await page.evaluate(() => Object.assign(window, { isSameWindow: true }));
  return () => page.evaluate(() => "isSameWindow" in window);
}

/** The bodies of the searches that the page sends. */
export function recordSearches(page: Page) {
  const bodies: { queries: { q?: string; limit?: number }[] }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/multi-search"))
      bodies.push(request.postDataJSON() as (typeof bodies)[number]);
  });
  return bodies;
}

/** Resolves when a matching request has been answered completely, or the page has aborted it. */
export function whenOver(page: Page, isMeant: (request: Request) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const note = (request: Request) => void (isMeant(request) && resolve());
    page.on("requestfinished", note);
    page.on("requestfailed", note);
  });
}

/** Lets the page draw everything up to now. */
export const drawFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Holds the fonts back until text has been painted and adds up layout shifts; to be called before the page is opened. */
export async function measureShift(page: Page): Promise<() => Promise<number>> {
  await page.route("**/*.woff2", async (route) => {
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
      undefined,
      { polling: 20 },
    );
    await route.continue();
  });
  await page.addInitScript(() => {
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) shifts.sum += (entry as unknown as { value: number }).value;
    };
    const shifts = { sum: 0, takeRest: () => add(observer.takeRecords()) };
    Object.assign(window, { shifts });
    observer.observe({ type: "layout-shift", buffered: true });
  });
  return async () => {
    await page.evaluate(() => document.fonts.ready);
    // Shifts caused by fonts are measured when they are drawn.
    await drawFrames(page);
    return page.evaluate(() => {
      const { shifts } = window as unknown as { shifts: { sum: number; takeRest: () => void } };
      shifts.takeRest();
      return shifts.sum;
    });
  };
}
