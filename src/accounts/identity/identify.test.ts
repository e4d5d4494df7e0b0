/**
 * 1. Each failure has its own message: no token, mistyped, unknown, revoked, expired, unused for too long, signed out.
 * 2. A found identity is remembered for less than 5 seconds: then another server's change is seen; this server's is seen
 *    immediately.
 * 3. Many simultaneous requests with one token cost one look-up; unknown tokens are not remembered; the memory is bounded.
 * 4. A look-up that began before a change and ends after it does not restore the old state.
 * 5. `Millrace-Org` chooses among the caller's organizations; an organization of others is not found.
 * 6. A use is recorded for a token, a browser and a person.
 * 7. A database that is unreachable is `unavailable`; remembered identities still work.
 * 8. Headers: the token wins over the cookie, whose name depends on HTTPS.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createAccounts } from "../create-accounts.ts";
import { addToken } from "../changes/add-token.ts";
import { changeRecords } from "../changes/change-records.ts";
import { cookieNameOf, credentialsOf } from "./identify.ts";
import type { Identity } from "../contract/identities.ts";
import { createIdentityCache } from "./identity-cache.ts";
import {
  createOrganization,
  createProject,
  createToken,
  deleteOrganization,
  endSignIn,
  identify,
  listSignIns,
  revokeToken,
  updateMember,
  whoAmI,
} from "../index.ts";
import { DAY_MS, IDENTITY_AGE_MS, MAX_REMEMBERED_IDENTITIES } from "../contract/limits.ts";
import { createSignIn } from "../people/sign-ins.ts";
import { makePerson, openTestAccounts, type TestAccounts } from "../testing/accounts.ts";
import { hashSecret, makeToken } from "../contract/token-text.ts";

/** A second server on the same database. */
const other = ({ accounts }: TestAccounts) => createAccounts(accounts);
const ask = async (accounts: TestAccounts["accounts"], bearer?: string) => {
  try {
    await identify(accounts, { bearer });
    return "good";
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. words", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller } = await makePerson(place, "ada");
    const day = time.now + DAY_MS;
    const { secret } = await createToken(accounts, caller, { name: "a", type: "org", expiresAt: day });
    const idle = await createToken(accounts, caller, { name: "b", type: "user" });
    expect(await ask(accounts, secret)).toBe("good");
    expect(await ask(accounts)).toBe("no token");
    expect(await ask(accounts, "")).toBe("no token");
    for (const text of ["x", secret.slice(0, -1), secret.toUpperCase(), `${secret}a`, "a".repeat(100_000)])
      expect(await ask(accounts, text)).toBe("token is mistyped or cut off");
    expect(await ask(accounts, makeToken("job", accounts.randomBytes))).toBe("token is unknown");
    for (const cookie of ["x", secret])
      await expect(identify(accounts, { cookie })).rejects.toThrow("this browser is signed out");
    time.now = day;
    expect(await ask(accounts, secret)).toBe("token is expired");
    expect(await ask(accounts, idle.secret)).toBe("good");
    await accounts.uses.flush();
    time.now += 90 * DAY_MS;
    expect(await ask(accounts, idle.secret)).toBe("token is expired");
  });

  test("2. remembered", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const there = other(place);
    const { caller, userId } = await makePerson(place, "ada");
    const { token, secret } = await createToken(accounts, caller, { name: "a", type: "user" });
    expect(await Promise.all([ask(accounts, secret), ask(there, secret)])).toEqual(["good", "good"]);
    const second = await makePerson(place, "grace", { organizationId: caller.actor.organizationId ?? "" });
    await updateMember(accounts, second.caller, { userId, role: "member" });
    const roleAt = async (accounts: TestAccounts["accounts"]) => {
      const actor = await identify(accounts, { bearer: secret });
      return whoAmI(accounts, { actor, address: "" }).role;
    };
    expect([await roleAt(accounts), await roleAt(there)]).toEqual(["member", "owner"]);
    await revokeToken(accounts, caller, { tokenId: token.id });
    expect([await ask(accounts, secret), await ask(there, secret)]).toEqual(["token is revoked", "good"]);
    expect(IDENTITY_AGE_MS).toBeLessThan(5_000);
    time.now += IDENTITY_AGE_MS;
    expect(await ask(there, secret)).toBe("token is revoked");
    await there.close();
  });

  test("2. everything that ends with an organization", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { caller } = await makePerson(place, "ada", { isOperator: true });
    const organization = await createOrganization(accounts, caller, { name: "acme" });
    const actor = { ...(await place.reload(caller)).actor, organizationId: organization.id };
    const there = { actor, address: "" } as typeof caller;
    const project = await createProject(accounts, there, { name: "web" });
    const made = await Promise.all([
      createToken(accounts, there, { name: "a", type: "org" }),
      createToken(accounts, there, { name: "b", type: "project", projectId: project.id }),
    ]);
    for (const { secret } of made) expect(await ask(accounts, secret)).toBe("good");
    await deleteOrganization(accounts, there, { organization: "acme" });
    for (const { secret } of made) expect(await ask(accounts, secret)).toBe("token is unknown");
    expect((await place.reload(caller)).actor).toMatchObject({ memberships: [{ isFirst: true }] });
  });

  test("5. which organization", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const ada = await makePerson(place, "ada", { organization: "acme" });
    const grace = await makePerson(place, "grace", { organization: "labs" });
    const { secret } = await createToken(accounts, ada.caller, { name: "a", type: "org" });
    const own = ada.caller.actor.organizationId ?? "";
    for (const organization of ["acme", own, ""])
      for (const credentials of [{ cookie: ada.cookie }, { bearer: secret }])
        expect(await identify(accounts, { ...credentials, organization })).toMatchObject({
          organizationId: own,
        });
    for (const organization of ["labs", grace.caller.actor.organizationId ?? "", "none", "x".repeat(1000)])
      for (const credentials of [{ cookie: ada.cookie }, { bearer: secret }])
        await expect(identify(accounts, { ...credentials, organization })).rejects.toMatchObject({
          code: "not_found",
          message: expect.stringMatching(/^organization .{1,101} was not found$/),
        });
  });

  test("6. uses", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller, cookie, userId } = await makePerson(place, "ada");
    const { token, secret } = await createToken(accounts, caller, { name: "a", type: "user" });
    time.now += 61_000;
    await identify(accounts, { bearer: secret });
    await identify(accounts, { cookie });
    await accounts.uses.flush();
    const used = async () => {
      const { db } = accounts;
      const [a, b, c] = await Promise.all([
        db.selectFrom("tokens").select("last_used_at as at").where("id", "=", token.id).executeTakeFirst(),
        db
          .selectFrom("sign_ins")
          .select("last_used_at as at")
          .where("user_id", "=", userId)
          .executeTakeFirst(),
        db.selectFrom("users").select("last_seen_at as at").where("id", "=", userId).executeTakeFirst(),
      ]);
      return [a?.at, b?.at, c?.at];
    };
    const first = time.now;
    expect(await used()).toEqual([first, first, first]);
    time.now += 59_000;
    await identify(accounts, { bearer: secret });
    await accounts.uses.flush();
    expect(await used()).toEqual([first, first, first]);
    time.now += 1_000;
    await identify(accounts, { bearer: secret });
    await accounts.uses.flush();
    expect(await used()).toEqual([time.now, first, time.now]);
  });

  test("7. a database that is unreachable", async () => {
    const place = await openTestAccounts(kind);
    const { accounts } = place;
    const { cookie, caller } = await makePerson(place, "ada");
    const { secret } = await createToken(accounts, caller, { name: "a", type: "user" });
    await identify(accounts, { cookie });
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const broken = {
      ...accounts,
      db: new Proxy(accounts.db, {
        get: () => () => {
          throw away;
        },
      }),
    };
    expect(await identify(broken, { cookie })).toMatchObject({ name: "ada" });
    await expect(identify(broken, { bearer: secret })).rejects.toMatchObject({ code: "unavailable" });
    await place[Symbol.asyncDispose]();
  });

  test("1. a browser that is signed out", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller, cookie, userId } = await makePerson(place, "ada");
    const browser = { userId, browser: "Firefox", address: "192.0.2.9" };
    const author = { name: "ada", id: userId, address: "" };
    const second = await changeRecords(accounts, author, ({ transaction }) =>
      createSignIn(accounts, browser, transaction),
    );
    const actor = await identify(accounts, { cookie });
    const { items } = await listSignIns(accounts, { actor, address: "" }, {});
    expect(items.map(({ browser, isCurrent }) => [browser, isCurrent]).sort()).toEqual([
      ["Chromium", true],
      ["Firefox", false],
    ]);
    await endSignIn(accounts, caller, { signInId: second.id });
    await expect(identify(accounts, { cookie: second.cookie })).rejects.toThrow("this browser is signed out");
    await expect(endSignIn(accounts, caller, { signInId: second.id })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(endSignIn(accounts, caller, {})).rejects.toMatchObject({ field: "sign_in_id" });
    await identify(accounts, { cookie });
    time.now += second.maxAgeSeconds * 1000;
    await expect(identify(accounts, { cookie })).rejects.toThrow("this browser is signed out");
  });

  test("1. tokens of jobs", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller } = await makePerson(place, "ada");
    const project = await createProject(accounts, caller, { name: "web" });
    const secret = makeToken("job", accounts.randomBytes);
    await changeRecords(accounts, { name: "ci", id: "ci", address: "" }, ({ transaction }) =>
      addToken(accounts, transaction, {
        type: "job",
        secret,
        name: "repo:acme/web",
        organizationId: project.organizationId,
        projectId: project.id,
        cache: "overlay",
        createdBy: "repo:acme/web",
        expiresAt: time.now + 1000,
      }),
    );
    const actor = await identify(accounts, { bearer: secret });
    expect(actor).toMatchObject({
      kind: "job",
      projectId: project.id,
      cache: "overlay",
      name: "repo:acme/web",
    });
    expect(whoAmI(accounts, { actor, address: "" })).toMatchObject({
      tokenType: "job",
      projectId: project.id,
    });
    time.now += 1000;
    expect(await ask(accounts, secret)).toBe("token is expired");
  });
});

const identityOf = (tokenId: string): Identity => ({
  actor: {
    kind: "organization",
    tokenId,
    name: "ci",
    readOnly: false,
    organizationId: "org_a",
    organization: "acme",
    expiresAt: null,
  },
  lastUsedAt: 0,
  dependsOn: [tokenId, "org_a"],
});

test("3. one look-up, a bounded memory", async () => {
  const cache = createIdentityCache(() => 0);
  let asked = 0;
  const load = async () => identityOf(`tok_${(asked += 1)}`);
  const found = await Promise.all(Array.from({ length: 100 }, () => cache.find("a", load)));
  expect([asked, new Set(found).size]).toEqual([1, 1]);
  const fail = async () => {
    asked += 1;
    throw new Error("token is unknown");
  };
  await expect(cache.find("b", fail)).rejects.toThrow();
  await expect(cache.find("b", fail)).rejects.toThrow();
  expect(asked).toBe(3);
  for (let index = 0; index < MAX_REMEMBERED_IDENTITIES; index += 1) await cache.find(`other ${index}`, load);
  asked = 0;
  await cache.find(`other ${MAX_REMEMBERED_IDENTITIES - 1}`, load);
  expect(asked).toBe(0);
  await cache.find("a", load);
  expect(asked).toBe(1);
});

test("4. a change during a look-up", async () => {
  const cache = createIdentityCache(() => 0);
  const { promise, resolve } = Promise.withResolvers<Identity>();
  const before = cache.find("a", () => promise);
  cache.forget(new Set(["tok_1"]));
  const after = await cache.find("a", async () => identityOf("tok_after"));
  resolve(identityOf("tok_1"));
  expect((await before).actor.tokenId).toBe("tok_1");
  expect(after.actor.tokenId).toBe("tok_after");
  const now = await cache.find("a", () => Promise.reject(new Error("asked")));
  expect(now.actor.tokenId).toBe("tok_after");
  cache.forget(new Set(["org_a"]));
  await expect(cache.find("a", () => Promise.reject(new Error("asked")))).rejects.toThrow("asked");
});

test("8. headers", () => {
  const secure = { origin: "https://build.acme.example" };
  expect(cookieNameOf(secure)).toBe("__Host-millrace-session");
  expect(cookieNameOf({ origin: "http://localhost:3000" })).toBe("millrace-session");
  const read = (headers: Record<string, string>) => credentialsOf(secure, new Headers(headers));
  const cookie = "a=b; __Host-millrace-session=key; c=d";
  expect(read({ cookie })).toEqual({ cookie: "key" });
  expect(read({ cookie: "millrace-session=key" })).toEqual({});
  expect(read({ cookie, authorization: "bearer  mr_x" })).toEqual({ bearer: "mr_x" });
  for (const authorization of ["Basic abc", "Bearer", "Bearer ", "Bearer a b", "Bearermr_x", ""])
    expect(read({ cookie, authorization })).toEqual({ bearer: "" });
  expect(read({ "millrace-org": "acme" })).toEqual({ organization: "acme" });
  expect(hashSecret("x")).not.toContain("x=");
});
