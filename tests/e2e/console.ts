import type { Page, Route } from "@playwright/test";
import { filledReports, type Reports } from "../fixtures/telemetry/console-reports.ts";
import { ada, stateWith } from "./app.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

export { expect };

export const test = base.extend<{ operator: ConsolePage }>({
  operator: async ({ page }, use) => use(new ConsolePage(page)),
});

/** The figures of the documentation as an operator reads them in the application, with reports that the test chooses. */
export class ConsolePage {
  readonly page: Page;
  readonly navigation;
  /** Paths of the requested reports, with their queries. */
  readonly asked: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.navigation = page.getByRole("navigation", { name: "Main" });
  }

  /** Signs a person in; nothing else of the organization is requested from the server. */
  async enter(person: object | null = ada) {
    await this.page.unroute("**/auth/state");
    await this.page.route("**/auth/state", (route) => route.fulfill({ json: stateWith({ user: person }) }));
    await this.page.route("**/api/millrace.v1.*/**", (route) => route.fulfill({ json: NO_ROWS }));
    // Nothing changes meanwhile: the stream of events stays silent.
    await this.page.route("**/app/*/events*", () => {});
  }

  /** Answers requests for reports from a table; others are "no longer kept". */
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
    await this.enter();
    await this.answerWith(reports);
    await this.page.goto(`/console${path}`);
  }

  heading(name: string) {
    return this.page.getByRole("heading", { name, level: 1, exact: true });
  }

  /** Opens the navigation first where it is folded. */
  async goTo(name: string) {
    // The frame is drawn when the heading is there; before, the button is missing at every width.
    await expect(this.page.getByRole("heading", { level: 1 })).toBeVisible();
    const toggle = this.page.getByRole("button", { name: "Navigation" });
    if (await toggle.isVisible()) await toggle.click();
    // The organization also has an overview.
    await this.navigation.getByRole("link", { name, exact: true }).last().click();
  }

  /** Pixels by which the page is wider than the screen. */
  overflow() {
    return overflowOf(this.page);
  }

  /** Recorded readers' pages are left out: the application cannot fix them. */
  expectAccessible(options: { withColours?: boolean } = {}) {
    return expectAccessible(this.page, { exclude: ".stage", ...options });
  }
}

const NO_ROWS = { projects: [], members: [], tokens: [], invitations: [], next_page_token: "" };

async function answer(route: Route, report: unknown) {
  if (report === undefined) return route.fulfill({ status: 404, json: { message: "It is not kept." } });
  return route.fulfill({ json: report });
}
