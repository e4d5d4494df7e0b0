/**
 * 1. An exchange with a valid signature is stored, given or refused, with its claims and its differences from the nearest
 *    relationship; one with a wrong signature, or that no relationship's issuer signed, leaves nothing. A token that its
 *    issuer has signed, but that has expired or is not valid yet, is stored with advice.
 * 2. A refusal has a line in the audit log; of a flood of refusals only some are stored, and all are counted by day.
 * 3. The last 50 given and the last 50 refused of each project stay, for 30 days, so that refusals, which strangers can
 *    cause, displace no others; they are deleted with their project.
 * 4. Claims of a job's token are stored within limits, those that relationships name before others.
 * 5. Lists are pages, newest first, of a project or of the organization, of all or of refused ones; members read them;
 *    project tokens, other organizations and strangers do not.
 * 6. A relationship is tried on the latest exchanges, on a token or on the JSON of its claims, exactly as an exchange
 *    compares them; nothing is stored, and any other text is refused.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import {
  checkTrust,
  createProject,
  createToken,
  deleteProject,
  getUsage,
  identify,
  listAuditEvents,
  listExchanges,
} from "../index.ts";
import { readLatestEvents } from "../stream/read-events.ts";
import { DAY_MS, EXCHANGES_KEPT_MS, MAX_KEPT_CLAIMS_BYTES } from "../contract/limits.ts";
import { sweepAccounts } from "../sweep.ts";
import { makeExchange, makePerson } from "../testing/accounts.ts";
import { deleteOldExchanges } from "./delete-old-exchanges.ts";
import type { KeptExchange } from "./keep-exchange.ts";
import { matchClaims } from "./match-claims.ts";
import { startTestIssuer, type TestIssuer } from "../testing/issuer.ts";
import { openTrustingProject, ORIGIN, SUBJECT } from "../testing/trusting-project.ts";

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

async function open(kind: DatabaseKind) {
  const place = await openTrustingProject(kind, issuer);
  const { accounts, caller, projectId } = place;
  const organizationId = caller.actor.organizationId ?? "";
  const list = async (input: object = {}) => (await listExchanges(accounts, caller, input)).items;
  const keep = (claims: KeptExchange["claims"], more: Partial<KeptExchange> = {}) =>
    makeExchange(place, { organizationId, projectId, wanted: new Set(["repository"]), claims, ...more });
  return {
    ...place,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    organizationId,
    list,
    keep,
  };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2. given and refused", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, projectId, sign, exchange, list } = place;
    const { tokenId } = await exchange(await sign());
    time.now += 1;
    const pull = { repository: "mallory/web", ref: ["a", "b"] };
    await expect(exchange(await sign(pull))).rejects.toThrow("no trust relationship matches");
    time.now += 1;
    await expect(exchange(await sign({ aud: "https://other.example" }))).rejects.toThrow("aud: wanted");
    await expect(exchange(`${await sign()}x`)).rejects.toMatchObject({ code: "unauthenticated" });
    const stranger = await startTestIssuer();
    const strange = await stranger.sign({ sub: SUBJECT, aud: ORIGIN, exp: time.now / 1000 + 300 });
    await expect(exchange(strange)).rejects.toThrow("does not trust the issuer");
    await stranger.close();
    const shared = { projectId, issuer: issuer.origin, subject: SUBJECT, address: "198.51.100.7" };
    const check = { isMissing: false, matches: false };
    const claims = { iss: issuer.origin, aud: ORIGIN, sub: SUBJECT, repository: "acme/web" };
    expect(await list()).toMatchObject([
      {
        ...shared,
        time: time.now,
        tokenId: null,
        refusedBecause: "The token is for a different audience (aud) than this server.",
        differences: [{ ...check, claim: "aud", wanted: ORIGIN, got: "https://other.example" }],
      },
      {
        ...shared,
        tokenId: null,
        refusedBecause: "No trust relationship matches. The closest one differs in repository.",
        differences: [{ ...check, claim: "repository", wanted: "acme/web", got: "mallory/web" }],
        claims: { ref: '["a","b"]' },
      },
      { ...shared, tokenId, refusedBecause: "", differences: [], claims },
    ]);
    const { items } = await listAuditEvents(accounts, caller, { action: "token.refuse" });
    expect(items).toMatchObject([
      { actor: SUBJECT, actorId: issuer.origin, target: "web", targetId: projectId, address: "198.51.100.7" },
      { details: { because: expect.stringContaining("differs in repository") } },
    ]);
    const usage = await getUsage(accounts, caller, { from: time.now, projectId });
    expect(usage).toMatchObject({ jobTokens: 1, refusedJobs: 2 });
  });

  test("1. and 2. signed, but of no use", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, organizationId, projectId, sign, exchange, list } = place;
    const now = time.now / 1000;
    const clocks = "compare the clocks of this server, or of its PostgreSQL, and of the provider.";
    const ends = "before it was used: request it immediately before the exchange.";
    const cases: [claims: object, message: string, because: string][] = [
      [
        { exp: now - 3600, ref: "x", aud: "https://other.example" },
        "OIDC token is expired",
        `The token ended at ${new Date(time.now - 3_600_000).toISOString()}, ${ends}`,
      ],
      [{ exp: -1e300 }, "OIDC token is expired", `The token ended ${ends}`],
      [{ nbf: now + 3600 }, "is not valid yet", `The token is not valid yet (nbf): ${clocks}`],
      [{ iat: now + 3600 }, "from the future", `The token is from the future (iat): ${clocks}`],
      [{ aud: undefined }, "has no `aud`", "The token has no aud, which its provider must set."],
    ];
    for (const [claims, message, because] of cases) {
      time.now += 1;
      await expect(exchange(await sign(claims))).rejects.toMatchObject({
        code: "unauthenticated",
        message: expect.stringContaining(message),
      });
      const shared = { projectId, issuer: issuer.origin, subject: SUBJECT, address: "198.51.100.7" };
      const [kept] = await list({ refused: true });
      expect(kept).toMatchObject({ ...shared, refusedBecause: because, differences: [], tokenId: null });
      const [latest] = (await readLatestEvents(accounts, caller.actor, organizationId)).slice(-1);
      expect(latest).toMatchObject({
        refused: true,
        by: SUBJECT,
        text: `a job of web was refused: ${because}`,
      });
    }
    expect(await list()).toHaveLength(cases.length);
    expect(await getUsage(accounts, caller, { from: time.now })).toMatchObject({ refusedJobs: cases.length });
    // No one vouches for these claims.
    const old = await sign({ exp: now - 3600 });
    await expect(exchange(`${old.slice(0, -8)}AAAAAAAA`)).rejects.toThrow("wrong signature");
    expect(await list()).toHaveLength(cases.length);
  });

  test("2. a flood", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, sign, exchange } = place;
    const token = await sign({ repository: "mallory/web" });
    await Promise.allSettled(Array.from({ length: 100 }, () => exchange(token)));
    const lines = await accounts.db
      .selectFrom("audit_events")
      .select("id")
      .where("action", "=", "token.refuse")
      .execute();
    expect(lines).toHaveLength(60);
    expect(await getUsage(accounts, caller, { from: time.now })).toMatchObject({ refusedJobs: 100 });
    expect(await place.list({ pageSize: 100 })).toHaveLength(50);
  });

  test("3. how many, and how long", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, projectId, keep, list } = place;
    const other = await createProject(accounts, caller, { name: "api" });
    await keep({ n: "other" }, { projectId: other.id });
    for (let number = 0; number < 53; number += 1) {
      time.now += 1;
      await keep({ n: number });
    }
    await deleteOldExchanges(accounts.database, projectId);
    await deleteOldExchanges(accounts.database, other.id);
    const numbers = async (of: string) =>
      (await list({ projectId: of, pageSize: 100 })).map(({ claims }) => claims["n"]);
    const given = Array.from({ length: 50 }, (_, index) => `${52 - index}`);
    expect(await numbers(projectId)).toEqual(given);
    for (let number = 0; number < 53; number += 1) {
      time.now += 1;
      await keep({ n: `r${number}` }, { refusedBecause: "no" });
    }
    await deleteOldExchanges(accounts.database, projectId);
    const refused = Array.from({ length: 50 }, (_, index) => `r${52 - index}`);
    expect(await numbers(projectId)).toEqual([...refused, ...given]);
    expect(await numbers(other.id)).toEqual(["other"]);
    time.now += EXCHANGES_KEPT_MS - 102;
    await sweepAccounts(accounts, new AbortController().signal);
    expect(await numbers(projectId)).toHaveLength(100);
    expect(await numbers(other.id)).toEqual([]);
    await deleteProject(accounts, caller, { projectId });
    expect(await list()).toEqual([]);
    time.now += DAY_MS;
    await sweepAccounts(accounts, new AbortController().signal);
  });

  test("4. bounds", async () => {
    await using place = await open(kind);
    const { accounts, keep, list } = place;
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, "x"]));
    const hostile = { ["n".repeat(501)]: "x", "a\u202E": "\0\u001B[2J\ud800", long: "y".repeat(10_000) };
    await keep({ ...hostile, ...many, aud: [ORIGIN], repository: "acme/web", sub: "s" });
    await keep(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`c${index}`, "ü".repeat(400)])));
    const [second, first] = (await list()).toSorted(
      (a, b) => Object.keys(a.claims).length - Object.keys(b.claims).length,
    );
    expect(Object.keys(first?.claims ?? {})).toHaveLength(40);
    expect(first?.claims).toMatchObject({
      aud: ORIGIN,
      repository: "acme/web",
      "a\\u202e": "\\u0000\\u001b[2J\uFFFD",
      long: `${"y".repeat(200)}…`,
    });
    expect(Object.keys(second?.claims ?? {}).length).toBeGreaterThan(5);
    const rows = await accounts.db.selectFrom("exchanges").select("claims").execute();
    for (const { claims } of rows)
      expect(Buffer.byteLength(claims)).toBeLessThan(MAX_KEPT_CLAIMS_BYTES + 100);
  });

  test("5. who reads them", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, organizationId, projectId, keep, list } = place;
    for (const refusedBecause of ["", "no", "", "no", ""]) {
      time.now += 1;
      await keep({ n: time.now }, { refusedBecause });
    }
    const seen: number[] = [];
    for (let pageToken = ""; ;) {
      const page = await listExchanges(accounts, caller, { pageSize: 2, pageToken });
      seen.push(...page.items.map((exchange) => exchange.time - time.now));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(seen).toEqual([0, -1, -2, -3, -4]);
    expect((await list({ refused: true })).map((exchange) => exchange.time - time.now)).toEqual([-1, -3]);
    const grace = await makePerson(place, "grace", { organizationId, role: "member" });
    expect((await listExchanges(accounts, grace.caller, { projectId })).items).toHaveLength(5);
    const eve = await makePerson(place, "eve");
    expect((await listExchanges(accounts, eve.caller, {})).items).toEqual([]);
    await expect(listExchanges(accounts, eve.caller, { projectId })).rejects.toMatchObject({
      code: "not_found",
    });
    const relationship = { issuer: issuer.origin, claims: { sub: "x" } };
    const trying = (who: typeof eve.caller) => checkTrust(accounts, who, { projectId, relationship });
    await expect(trying(eve.caller)).rejects.toMatchObject({ code: "not_found" });
    const { secret } = await createToken(accounts, caller, { name: "ci", type: "project", projectId });
    const actor = await identify(accounts, { bearer: secret });
    await expect(listExchanges(accounts, { actor, address: "" }, { projectId })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("6. a relationship is tried", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, projectId, sign, exchange } = place;
    const relationship = { issuer: issuer.origin, claims: { repository: "acme/web", environment: "live" } };
    const attempt = (more: object = {}) => checkTrust(accounts, caller, { projectId, relationship, ...more });
    expect(await attempt()).toEqual([]);
    await exchange(await sign());
    time.now += 1;
    await exchange(await sign({ environment: "live" }));
    const told = (environment: object, matches: boolean) => ({
      subject: SUBJECT,
      matches,
      checks: [
        { claim: "iss", wanted: issuer.origin, got: issuer.origin, matches: true, isMissing: false },
        { claim: "aud", wanted: ORIGIN, got: ORIGIN, matches: true, isMissing: false },
        { claim: "repository", wanted: "acme/web", got: "acme/web", matches: true, isMissing: false },
        { claim: "environment", wanted: "live", ...environment },
      ],
    });
    const good = told({ got: "live", matches: true, isMissing: false }, true);
    const bad = told({ got: "", matches: false, isMissing: true }, false);
    const [newest, former] = (await listExchanges(accounts, caller, {})).items;
    expect(await attempt()).toEqual([
      { ...good, exchangeId: newest?.id, time: time.now },
      { ...bad, exchangeId: former?.id, time: time.now - 1 },
    ]);
    const claims = {
      iss: issuer.origin,
      aud: ORIGIN,
      sub: SUBJECT,
      repository: "acme/web",
      iat: 1_800_000_000,
    };
    const unsigned = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
    for (const oidcToken of [` ${JSON.stringify(claims)}\n`, unsigned])
      expect(await attempt({ oidcToken })).toEqual([{ ...bad, exchangeId: null, time: 1_800_000_000_000 }]);
    expect(await attempt({ oidcToken: "{}" })).toMatchObject([{ matches: false, subject: "", time: null }]);
    for (const oidcToken of ["x", "{", "[]", "a.b.c", "x".repeat(16_385)])
      await expect(attempt({ oidcToken })).rejects.toMatchObject({ field: "oidc_token" });
    const loose = { relationship: { ...relationship, claims: {} } };
    await expect(attempt(loose)).rejects.toMatchObject({ field: "trust_relationship.claims" });
    await expect(attempt({ relationship: undefined })).rejects.toMatchObject({ field: "trust_relationship" });
    expect((await listExchanges(accounts, caller, {})).items).toHaveLength(2);
  });

  test("6. as an exchange compares them", async () => {
    await using place = await open(kind);
    const { accounts, caller, time, projectId, keep } = place;
    const name = fc.constantFrom("ref", "sub", "a", "__proto__", "constructor");
    const plain = fc.oneof(
      fc.constantFrom("main", "1", "true", "null", '["main"]'),
      fc.string({ minLength: 1, unit: fc.constantFrom("a", "ü", "1") }),
    );
    const value = fc.oneof(
      plain,
      fc.jsonValue(),
      fc.constantFrom("x".repeat(500), "x".repeat(501), ["main"], ["x".repeat(600)]),
    );
    const wanted = fc.dictionary(name, fc.oneof(plain, fc.constant("x".repeat(500))), {
      minKeys: 1,
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(wanted, fc.dictionary(name, value, { noNullPrototype: true }), async (of, payload) => {
        const relationship = { issuer: issuer.origin, claims: of };
        const claims = { ...payload, iss: issuer.origin, aud: ORIGIN };
        const expected = "cache" in matchClaims([{ ...relationship, cache: "read" }], claims);
        time.now += 1;
        await keep(claims, { wanted: new Set(Object.keys(of)) });
        const [kept] = await checkTrust(accounts, caller, { projectId, relationship });
        const oidcToken = JSON.stringify(claims);
        const [sent] = await checkTrust(accounts, caller, { projectId, relationship, oidcToken });
        expect([kept?.matches, sent?.matches]).toEqual([expected, expected]);
      }),
      {
        numRuns: kind === "sqlite" ? 200 : 40,
        // JavaScript cannot convert this to a text.
        examples: [[{ ref: "main" }, { sub: { toString: null } as never }]],
      },
    );
  });
});
