/** The documentation on acme's server, for a reader whose organization and projects differ from those of the samples. */
import type { Page } from "@playwright/test";
import type { Records } from "../fixtures/replace-records.ts";
import { ACME, type Acme, expect, PROJECTS, test as base } from "./acme.ts";

export { expect };

/** The reader's organization, as the server knows it. */
export const OWN = "initech";
/** Their project `storefront`, which is the last of three. */
export const STOREFRONT = { id: PROJECTS.api, name: "storefront" };
/** Pages whose samples name one organization and one project. */
export const REGISTRY = "/docs/registry/quickstart";
export const CI = "/docs/container-builds/how-to-guides/continuous-integration";

/** The cookie that a sign-in sets for scripts of the documentation. */
export const HINT = { name: "millrace-reader", value: "1", domain: "localhost", path: "/docs" };

export const ownNames = (records: Records): Records => ({
  ...records,
  organizations: (records["organizations"] ?? []).map((row) =>
    row["name"] === "acme" ? { ...row, name: OWN } : row,
  ),
  projects: (records["projects"] ?? []).map((row) =>
    row["id"] === STOREFRONT.id ? { ...row, name: STOREFRONT.name } : row,
  ),
});

export const panelOf = (page: Page) => page.getByRole("region", { name: "Your names in the samples" });
export const openerOf = (page: Page) => page.getByRole("button", { name: /^Samples for / });

/** The panel, open: a click elsewhere closes it. */
export async function showPanel(page: Page) {
  const panel = panelOf(page);
  if (!(await panel.isVisible())) await openerOf(page).click();
  return panel;
}

export const samplesOf = (page: Page) => page.getByRole("article").locator("figure.code");

interface Fixtures {
  reader: Reader;
}

class Reader {
  readonly page: Page;
  readonly acme: Acme;
  /** `POST /api/millrace.v1.TokenService/Create` of everything that the page sent to its server. */
  readonly asked: string[] = [];

  constructor(page: Page, acme: Acme) {
    this.page = page;
    this.acme = acme;
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:auth|api|app)\//.test(pathname)) this.asked.push(`${request.method()} ${pathname}`);
    });
  }

  /** Opens a page of the documentation; resolves when the samples have the reader's names. */
  async open(path: string) {
    await this.visit(path);
    const panel = await showPanel(this.page);
    await expect(panel.getByText("The samples are yours")).toBeVisible();
    await expect(panel.getByText(OWN).first()).toBeAttached();
  }

  visit = (path: string) => this.page.goto(this.acme.origin + path);
}

export const test = base.extend<Fixtures>({
  reader: async ({ acme, page, context }, use) => {
    acme.fill(ownNames);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: acme.origin });
    await page.addInitScript((organization) => {
      localStorage["millrace-consent"] ??= "necessary";
      localStorage["docs-own"] ??= JSON.stringify({ organization });
    }, ACME.id);
    // As a sign-in does it; `own-names` also signs in for real.
    await context.addCookies([HINT]);
    await use(new Reader(page, acme));
  },
});
