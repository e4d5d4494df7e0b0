/** The addresses for people on a database of their own, for tests. */
import type { Hono } from "hono";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { AccountsOptions } from "../create-accounts.ts";
import { openTestAccounts, type TestAccounts } from "./accounts.ts";
import { type AccountRoutesOptions, createAccountRoutes } from "../routes.ts";
import { makeOwnerLink } from "../sign-in/mail/owner-link.ts";
import { openTestBrowser, type TestBrowser } from "./browser.ts";

export const TEST_ORIGIN = "http://localhost:3000";

export interface TestPeople extends TestAccounts {
  app: Hono;
  /** Another replica with the same records. */
  other: Hono;
  /** The client's; tests change it. */
  place: { address: string };
  browser: () => TestBrowser;
  /** A browser in which the first owner, ada, is signed in. */
  begin: (person?: object) => Promise<TestBrowser>;
}

export async function openTestPeople(
  kind: DatabaseKind,
  {
    accounts: accountOptions,
    routes,
  }: { accounts?: Partial<AccountsOptions>; routes?: Partial<AccountRoutesOptions> } = {},
): Promise<TestPeople> {
  const opened = await openTestAccounts(kind, { origin: TEST_ORIGIN, ...accountOptions });
  const place = { address: "192.0.2.7" };
  const make = () => createAccountRoutes(opened.accounts, { addressOf: () => place.address, ...routes });
  const app = make();
  const browser = () => openTestBrowser(app, opened.accounts.origin);
  return {
    ...opened,
    app,
    other: make(),
    place,
    browser,
    async begin(person = {}) {
      const visitor = browser();
      const { url } = await makeOwnerLink(opened.accounts);
      const answer = await visitor.post(`/auth/start/${url.split("/").at(-1)}`, {
        organization: "acme",
        name: "ada",
        ...person,
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return visitor;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
