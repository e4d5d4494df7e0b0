import type { Page, Route } from "@playwright/test";
import { filledReports, type Reports } from "../fixtures/telemetry/console-reports.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";

export { expect };

export const test = base.extend<{ operator: ConsolePage }>({
  operator: async ({ page }, use) => use(new ConsolePage(page)),
});

/** The console as an operator uses it, with reports that the test chooses. */
export class ConsolePage {
  readonly page: Page;
  readonly navigation;
  /** Paths of the requested reports, with their queries. */
  readonly asked: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.navigation = page.getByRole("navigation", { name: "Console" });
  }

  /** Answers the console's requests from a table; what is not in it is "no longer kept". */
  async answerWith(reports: Reports = filledReports) {
    await this.page.unroute("**/console/api/**");
    await this.page.route("**/console/api/**", async (route) => {
      const url = new URL(route.request().url());
      const path = url.pathname.replace("/console/api/", "");
      this.asked.push(path + url.search);
      await answer(route, reports[path]);
    });
  }

  async open(path = "", reports?: Reports) {
    await this.answerWith(reports);
    await this.page.goto(`/console${path}`);
  }

  heading(name: string) {
    return this.page.getByRole("heading", { name, level: 1, exact: true });
  }

  /** Opens the navigation first where it is folded. */
  async goTo(name: string) {
    const toggle = this.page.getByRole("button", { name: "Navigation" });
    if (await toggle.isVisible()) await toggle.click();
    await this.navigation.getByRole("link", { name, exact: true }).click();
  }

  /** Pixels by which the page is wider than the screen. */
  overflow() {
    return this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }

  /** Recorded readers' pages are left out: the console cannot fix them. */
  expectAccessible(options: { withColours?: boolean } = {}) {
    return expectAccessible(this.page, { exclude: ".stage", ...options });
  }
}

async function answer(route: Route, report: unknown) {
  if (report === undefined) return route.fulfill({ status: 404, json: { message: "It is not kept." } });
  return route.fulfill({ json: report });
}
