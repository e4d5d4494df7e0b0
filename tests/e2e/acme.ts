/** A server with the company acme in it (`tests/fixtures/acme-records.ts`), and browsers of its people. */
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { ACME, acmeRecords, cookieOf, type PersonName } from "../fixtures/acme-records.ts";
import { type Records, replaceRecords } from "../fixtures/replace-records.ts";
import { openServer, type Server, test as base } from "./console-server.ts";

export { expect } from "@playwright/test";
export { ACME, PEOPLE, PROJECTS } from "../fixtures/acme-records.ts";

interface Fixtures {
  acme: Acme;
  /** The person who is signed in at the beginning. */
  as: PersonName | null;
}

export interface Acme {
  origin: string;
  /** `/app/acme` and what is below it: `at("settings/tokens")`. */
  at: (path?: string) => string;
  server: Server;
  /** Signs a browser in. */
  enter: (context: BrowserContext, name: PersonName) => Promise<void>;
  /** Writes other records, or acme's original ones. */
  fill: (change?: (records: Records) => Records) => void;
}

let started: ReturnType<typeof openServer> | undefined;

/** One server for each worker; every test begins with acme's own records. */
export const test = base.extend<Fixtures & { acmeServer: Server }>({
  as: ["ada", { option: true }],
  acmeServer: [
    async ({ keep }, use) => {
      started ??= keep(openServer());
      await use(await started);
    },
    { timeout: 240_000 },
  ],
  acme: async ({ acmeServer: server, context, as }, use) => {
    const { origin, dataDir } = server;
    const acme: Acme = {
      origin,
      server,
      at: (path = "") => `${origin}/app/${ACME.name}${path && `/${path}`}`,
      enter: (browser, name) =>
        browser.addCookies([{ name: "millrace-session", value: cookieOf(name), url: origin }]),
      fill: (change = (records) => records) =>
        replaceRecords(join(dataDir, "millrace.db"), change(acmeRecords(Date.now(), origin))),
    };
    acme.fill();
    if (as) await acme.enter(context, as);
    await use(acme);
  },
});

/**
 * From now on the page asks for everything itself, so that a test can answer instead of the server: the page's first
 * answers are removed before its code runs.
 */
export const askEverything = (page: Page) =>
  page.addInitScript(() =>
    new MutationObserver(() => document.querySelector("#first-answers")?.remove()).observe(document, {
      childList: true,
      subtree: true,
    }),
  );
