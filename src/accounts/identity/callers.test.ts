/**
 * 1. At an address with too many wrong tokens, valid tokens are admitted, remembered or never seen; wrong tokens have to
 *    wait, as do those of its whole network. A caller without credentials is refused as such, and uses nothing up.
 * 2. A revoked token counts as wrong immediately, and so does a signed-out browser.
 * 3. A known caller has one budget, with every token, from every address; strangers' calls use none of it.
 * 4. Wrong tokens that arrive at the same time are looked up together, whatever their number.
 * 5. Work for refused requests is not charged to a holder who waits, nor are calls without credentials, which never wait. A
 *    person without an organization is distinguished from an organization.
 */
import { describe, expect, test } from "vitest";
import { createCallerLimit } from "#platform/http/limits/caller-limit.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { COSTS, NO_ORGANIZATION, REFUSED } from "#platform/fair/limits.ts";
import { holderOf } from "../contract/actor.ts";
import { createCallers } from "./callers.ts";
import type { Credentials } from "./identify.ts";
import { createToken, endSignIn, listSignIns, revokeToken } from "../index.ts";
import { makePerson, openTestAccounts } from "../testing/accounts.ts";
import { completeToken } from "../contract/token-text.ts";

const OFFICE = "2001:db8:1:1::1";
const ELSEWHERE = "2001:db8:ffff::1";
const wrong = (at: number): Credentials => ({ bearer: completeToken("org", String(at).padStart(32, "0")) });

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(burst = 100) {
    const place = await openTestAccounts(kind);
    const { accounts } = place;
    const takeCall = createCallerLimit({ perMinute: 1, burst, clock: () => 0 });
    const callers = createCallers(accounts, { rateLimitFactor: 0.01, takeCall, clock: () => 0 });
    const ask = (credentials: Credentials, address = OFFICE) =>
      callers.admit(credentials, address).then(
        ({ kind: found }) => found as string,
        (error: Error) => error.message,
      );
    return { ...place, place, ask, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
  }

  test("1. and 2. good ones behind wrong ones", async () => {
    await using opened = await open();
    const { accounts, place, ask } = opened;
    const { caller, cookie } = await makePerson(place, "ada");
    const made = await createToken(accounts, caller, { name: "a", type: "org" });
    const bearer = made.secret;
    const unseen = await createToken(accounts, caller, { name: "b", type: "org" });
    expect(await ask({ bearer })).toBe("organization");
    const answers: string[] = [];
    for (let at = 0; at < 5; at += 1) answers.push(await ask(at % 2 ? { cookie: "wrong" } : wrong(at)));
    expect(answers.slice(0, 3)).toEqual([
      "token is unknown",
      "this browser is signed out",
      "token is unknown",
    ]);
    for (const answer of answers.slice(3)) expect(answer).toMatch(/no valid token; try again in \d+ s$/);
    expect(await ask({})).toBe("no token");
    for (const good of [{ bearer }, { cookie }, { bearer: unseen.secret }])
      expect(await ask(good)).toMatch(/organization|user/);
    expect(await ask(wrong(9), ELSEWHERE)).toBe("token is unknown");

    await revokeToken(accounts, caller, { tokenId: made.token.id });
    expect(await ask({ bearer })).toMatch(/no valid token/);
    const { signIns } = { signIns: (await listSignIns(accounts, caller, {})).items };
    for (const { id } of signIns) await endSignIn(accounts, caller, { signInId: id });
    expect(await ask({ cookie })).toMatch(/no valid token/);
  });

  test("1. a whole network", async () => {
    await using opened = await open();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => opened.ask(wrong(at), `2001:db8:1:${at.toString(16)}::1`)),
    );
    // Three for one client, sixteen clients' worth.
    expect(answers.filter((answer) => answer === "token is unknown")).toHaveLength(3 * 4);
    expect(await opened.ask(wrong(999), ELSEWHERE)).toBe("token is unknown");
  });

  test("3. budgets", async () => {
    await using opened = await open(2);
    const { accounts, place, ask } = opened;
    const { caller, cookie } = await makePerson(place, "ada");
    const { secret: bearer } = await createToken(accounts, caller, { name: "a", type: "user" });
    const grace = await makePerson(place, "grace", { organization: "labs" });
    for (let at = 0; at < 2; at += 1) expect(await ask({})).toBe("no token");
    expect(await ask({})).toMatch(/too many calls from this address/);
    expect([await ask({ bearer }), await ask({ cookie }, ELSEWHERE)]).toEqual(["user", "user"]);
    for (const address of [OFFICE, ELSEWHERE])
      expect(await ask({ bearer }, address)).toMatch(/too many calls from you/);
    expect(await ask({ cookie: grace.cookie })).toBe("user");
  });

  test("4. looked up together", async () => {
    await using opened = await open(10_000);
    const { accounts } = opened;
    let statements = 0;
    const db = new Proxy(accounts.db, {
      get(target, name, receiver) {
        if (name === "selectFrom") statements += 1;
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const callers = createCallers({ ...accounts, db }, { rateLimitFactor: 0 });
    const ask = (at: number) => callers.find(wrong(at), OFFICE).catch((error: Error) => error.message);
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => ask(at)));
    expect(new Set(answers)).toEqual(new Set(["token is unknown"]));
    expect(statements).toBeLessThanOrEqual(2 + 5);
  });

  test("5. holders", async () => {
    await using opened = await open();
    const { accounts, place } = opened;
    const charged: [string, number][] = [];
    const entered: string[] = [];
    const gate = {
      enter: (holder: string) => void entered.push(holder),
      charge: (holder: string, cost: number) => void charged.push([holder, cost]),
    };
    const callers = createCallers(accounts, { gate: gate as never });
    const refused = async (asking: Promise<unknown>) => expect(await asking.catch(() => "no")).toBe("no");
    await refused(callers.admit(wrong(1), OFFICE));
    await refused(callers.admit({}, OFFICE));
    await refused(callers.identify({ authorization: `Bearer ${wrong(2).bearer}` }, { address: OFFICE }));
    expect(charged).toEqual(Array.from({ length: 3 }, () => [REFUSED, COSTS.request]));
    expect(entered).toEqual([]);
    const { caller, cookie } = await makePerson(place, "ada");
    const { organizationId } = (await callers.admit({ cookie }, OFFICE)) as { organizationId: string };
    expect(entered).toEqual([organizationId]);
    expect(callers.admitStranger(OFFICE)).toBe(0);
    expect([charged.at(-1), entered.length]).toEqual([[REFUSED, COSTS.call], 1]);
    expect(organizationId.startsWith(NO_ORGANIZATION)).toBe(false);
    expect(holderOf({ ...caller.actor, organizationId: null } as never)).toMatch(/^~usr_/);
  });
});
