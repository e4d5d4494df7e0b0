/**
 * 1. The console is for owners of the server's first organization: missing, unknown and malformed credentials get 401;
 *    every other token, even an owner's read-only one, gets 403. Both say why.
 * 2. A database that does not answer is 503; it does not let anyone in.
 * 3. Using a token here records its last use and address.
 * 4. A caller who has left takes no turn.
 */
import { describe, expect, test } from "vitest";
import { createCallers, createToken, identify, listTokens, Refused, setOwnerToken } from "#accounts/index.ts";
import { openTestAccounts, OWNER_TOKEN } from "#accounts/testing/accounts.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { startTelemetry } from "#telemetry/testing/telemetry.ts";
import { createConsoleRoutes } from "./console-routes.ts";
import { createOperatorCheck } from "./guard.ts";

const isHere = () => false;
const DAY_MS = 24 * 60 * 60_000;

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open() {
    const place = await openTestAccounts(kind);
    const { accounts, time } = place;
    await setOwnerToken(accounts, OWNER_TOKEN);
    const close = () => place[Symbol.asyncDispose]();
    return { accounts, time, close, check: createOperatorCheck(accounts) };
  }

  test("1. operators only", async () => {
    const { accounts, check, close } = await open();
    const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
    const bearer = (token: string) => check(new Headers({ authorization: `Bearer ${token}` }), null, isHere);
    const statusOf = async (verdict: ReturnType<typeof check>) => {
      const { isAllowed, ...refusal } = await verdict;
      if (!isAllowed) expect(Object.values(refusal)).not.toContain("");
      return isAllowed ? 200 : "status" in refusal && refusal.status;
    };
    expect(await statusOf(bearer(OWNER_TOKEN))).toBe(200);
    const organization = await createToken(accounts, caller, { name: "ci", type: "org" });
    const readOnly = await createToken(accounts, caller, { name: "reader", type: "user", readOnly: true });
    for (const { secret } of [organization, readOnly]) expect(await statusOf(bearer(secret))).toBe(403);
    for (const wrong of ["", "mr_user_", `${OWNER_TOKEN}x`, "x".repeat(5000)])
      expect(await statusOf(bearer(wrong)), wrong.slice(0, 20)).toBe(401);
    const cookies = [
      "",
      "__Host-millrace-session=",
      "__Host-millrace-session=guessed",
      "millrace-console=old",
    ];
    for (const cookie of cookies)
      expect(await statusOf(check(new Headers({ cookie }), null, isHere)), cookie).toBe(401);
    expect(await statusOf(check(new Headers(), null, isHere))).toBe(401);
    await close();
  });

  test("4. who has left takes no turn", async () => {
    const { accounts, close } = await open();
    const asked: boolean[] = [];
    const enter = (_holder: string, { isGone }: { isGone?: (() => boolean) | undefined } = {}) => {
      asked.push(isGone?.() ?? false);
      return undefined;
    };
    const callers = createCallers(accounts, { gate: { enter, charge: () => {} } });
    const check = createOperatorCheck(accounts, callers);
    const headers = new Headers({ authorization: `Bearer ${OWNER_TOKEN}` });
    await check(headers, null, () => true);
    await check(headers, null, isHere);
    expect(asked).toEqual([true, false]);
    await close();
  });

  test("2. a database that is unreachable", async () => {
    const { accounts, close } = await open();
    const away = () => Promise.reject(new Refused("unavailable", "The database does not answer."));
    const check = createOperatorCheck({ ...accounts, cache: { ...accounts.cache, find: away } });
    const verdict = await check(new Headers({ cookie: "__Host-millrace-session=of-somebody" }), null, isHere);
    expect(verdict).toMatchObject({ isAllowed: false, status: 503 });
    await close();
  });

  test("3. from where", async () => {
    const { accounts, time, check, close } = await open();
    const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
    const { token, secret } = await createToken(accounts, caller, { name: "reports", type: "user" });
    const app = createConsoleRoutes({
      telemetry: startTelemetry(),
      config: { flags: [], surveys: [] },
      checkOperator: check,
      addressOf: () => "198.51.100.7",
      origin: accounts.origin,
      root: process.cwd(),
      isWritable: false,
    });
    const headers = { authorization: `Bearer ${secret}` };
    time.now += DAY_MS;
    expect((await app.request("/console/api/health", { headers })).status).toBe(200);
    await accounts.uses.flush();
    const { items } = await listTokens(accounts, caller, { pageSize: 100 });
    expect(items.find(({ id }) => id === token.id)).toMatchObject({ lastUsedFrom: "198.51.100.7" });
    await close();
  });
});
