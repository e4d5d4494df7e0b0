/**
 * 1. Ended records are removed when no one needs an answer about them any more; live and recently ended records stay.
 * 2. More rows than one statement takes are all removed; a signal stops it.
 * 3. One of two servers that begin at the same time sweeps; a server that died in the middle keeps others waiting only for a
 *    while.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createInvitation, createProject, createToken, identify, revokeToken } from "./index.ts";
import {
  AUDIT_KEPT_MS,
  DAY_MS,
  MAX_SWEPT_AT_ONCE,
  SWEEP_LEASE_MS,
  USAGE_KEPT_DAYS,
} from "./contract/limits.ts";
import { sweepAccounts, sweepAlone } from "./sweep.ts";
import { makePerson, openTestAccounts, type TestAccounts } from "./testing/accounts.ts";

const never = new AbortController().signal;
const count = async (
  { accounts: { db } }: TestAccounts,
  table: "tokens" | "sign_ins" | "invitations" | "audit_events",
) => (await db.selectFrom(table).selectAll().execute()).length;

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. what ended", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller, userId } = await makePerson(place, "ada");
    const project = await createProject(accounts, caller, { name: "web" });
    const ends = time.now + DAY_MS;
    await createToken(accounts, caller, { name: "expires", type: "org", expiresAt: ends });
    const { token, secret } = await createToken(accounts, caller, { name: "revoked", type: "org" });
    await revokeToken(accounts, caller, { tokenId: token.id });
    await createToken(accounts, caller, { name: "unused", type: "user" });
    const stays = await createToken(accounts, caller, {
      name: "stays",
      type: "project",
      projectId: project.id,
    });
    await createInvitation(accounts, caller, {});
    const link = {
      kind: "mail" as const,
      user_id: userId,
      browser_hash: null,
      used_at: null,
      used_from: null,
    };
    const times = { created_at: time.now, expires_at: time.now };
    await accounts.db
      .insertInto("sign_in_links")
      .values({ key_hash: "a", ...link, ...times })
      .execute();
    await accounts.db
      .insertInto("device_codes")
      .values({
        code_hash: "a",
        user_code: "A",
        state: "pending",
        client: "{}",
        address: "",
        user_id: null,
        organization_id: null,
        polled_at: null,
        interval_seconds: 5,
        ...times,
      })
      .execute();
    accounts.uses.countCall(project.organizationId);
    await accounts.uses.flush();
    const left = async () => {
      await sweepAccounts(accounts, never);
      const { db } = accounts;
      const links = await db.selectFrom("sign_in_links").selectAll().execute();
      const codes = await db.selectFrom("device_codes").selectAll().execute();
      const calls = await db.selectFrom("usage_counts").selectAll().execute();
      return {
        tokens: await count(place, "tokens"),
        signIns: await count(place, "sign_ins"),
        invitations: await count(place, "invitations"),
        links: links.length + codes.length,
        calls: calls.length,
      };
    };
    const events = await count(place, "audit_events");
    expect(await left()).toEqual({ tokens: 4, signIns: 1, invitations: 1, links: 2, calls: 1 });
    time.now += 2 * DAY_MS;
    expect(await left()).toEqual({ tokens: 4, signIns: 1, invitations: 1, links: 0, calls: 1 });
    await expect(identify(accounts, { bearer: secret })).rejects.toThrow("token is revoked");
    time.now += 30 * DAY_MS;
    expect(await left()).toEqual({ tokens: 2, signIns: 0, invitations: 1, links: 0, calls: 1 });
    time.now += 89 * DAY_MS;
    expect(await left()).toEqual({ tokens: 1, signIns: 0, invitations: 0, links: 0, calls: 1 });
    expect(await count(place, "audit_events")).toBe(events);
    time.now += AUDIT_KEPT_MS;
    await sweepAccounts(accounts, never);
    expect(await count(place, "audit_events")).toBe(0);
    time.now += USAGE_KEPT_DAYS * DAY_MS;
    expect(await left()).toEqual({ tokens: 1, signIns: 0, invitations: 0, links: 0, calls: 0 });
    expect(await identify(accounts, { bearer: stays.secret })).toMatchObject({ kind: "project" });
  });

  test("2. many", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const times = { created_at: 0, expires_at: 0, used_at: null, used_from: null };
    const links = Array.from({ length: 2 * MAX_SWEPT_AT_ONCE + 1 }, (_, index) => ({
      key_hash: `${index}`,
      kind: "first" as const,
      user_id: null,
      browser_hash: null,
      ...times,
    }));
    for (let start = 0; start < links.length; start += 500)
      await accounts.db
        .insertInto("sign_in_links")
        .values(links.slice(start, start + 500))
        .execute();
    time.now += 2 * DAY_MS;
    const rows = async () => (await accounts.db.selectFrom("sign_in_links").selectAll().execute()).length;
    await sweepAccounts(accounts, AbortSignal.abort());
    expect(await rows()).toBe(links.length);
    await sweepAccounts(accounts, never);
    expect(await rows()).toBe(0);
  });

  test("3. one server", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { promise: until, resolve: end } = Promise.withResolvers<void>();
    const swept: string[] = [];
    const begin = (holder: string, work: Promise<void> = Promise.resolve()) =>
      sweepAlone(accounts, holder, () => {
        swept.push(holder);
        return work;
      });
    const first = begin("one", until);
    await expect.poll(() => swept).toEqual(["one"]);
    await begin("two");
    expect(swept).toEqual(["one"]);
    end();
    await first;
    await begin("two");
    expect(swept).toEqual(["one", "two"]);
    // Never ends, as if its process had been killed.
    const { promise: never } = Promise.withResolvers<void>();
    void begin("dead", never);
    await expect.poll(() => swept.length).toBe(3);
    time.now += SWEEP_LEASE_MS - 1;
    await begin("one");
    expect(swept).toHaveLength(3);
    time.now += 1;
    await begin("one");
    expect(swept.at(-1)).toBe("one");
  });
});
