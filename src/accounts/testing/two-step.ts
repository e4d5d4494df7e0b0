/** An app that shows codes, for tests. */
import { makeOwnerLink } from "../sign-in/mail/owner-link.ts";
import type { TestBrowser } from "./browser.ts";
import type { TestPeople } from "./people.ts";
import { codeOf } from "./totp.ts";

export interface TestApp {
  /** In Base32. */
  secret: string;
  recoveryCodes: string[];
}

/** Turns two-step sign-in on, with an app. */
export async function setUpApp({ time }: Pick<TestPeople, "time">, browser: TestBrowser): Promise<TestApp> {
  const { state, secret } = (await browser.post("/auth/two-step/totp/begin", {})).body;
  const body = { state, code: codeOf(String(secret), time.now) };
  const answer = await browser.post("/auth/two-step/totp", body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  // The contract's shape.
  return { secret: String(secret), recoveryCodes: answer.body["recoveryCodes"] as string[] };
}

/** A browser in which the first owner has done the first of two steps. */
export async function beginHalf(people: Pick<TestPeople, "accounts" | "browser">): Promise<TestBrowser> {
  const browser = people.browser();
  const { url } = await makeOwnerLink(people.accounts);
  const { body } = await browser.post(`/auth/start/${url.split("/").at(-1)}`, {});
  if (!String(body["next"]).startsWith("/app/second-step")) throw new Error(JSON.stringify(body));
  return browser;
}
