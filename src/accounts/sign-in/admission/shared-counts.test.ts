/**
 * 1. On PostgreSQL, several servers give one share in total, as one bucket would: compared with a model.
 * 2. Simultaneous takes, from overlapping keys, never exceed the share.
 * 3. Rows whose share is full again are removed, and no row contains an address.
 * 4. While the database is unreachable, each server's own counts apply, as with SQLite.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestAccounts } from "../../testing/accounts.ts";
import { createNetworkCount } from "./counts.ts";
import { createSharedCounts } from "./shared-counts.ts";

const kinds = testDatabaseKinds.filter((kind) => kind === "postgres");

describe.each(kinds)("%s", (kind) => {
  test("1. one share", async () => {
    await using opened = await openTestAccounts(kind);
    const { accounts, time } = opened;
    const servers = [createSharedCounts(accounts), createSharedCounts(accounts)];
    const step = fc.record({
      server: fc.nat(1),
      keys: fc.constantFrom(["a"], ["b"], ["a", "wide"], ["b", "wide"]),
      later: fc.constantFrom(0, 0, 500, 3000),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        run += 1;
        const fullAt = new Map<string, number>();
        for (const { server, keys, later } of steps) {
          time.now += later;
          const levels = keys.map((key) => ({
            key: `${run} ${key}`,
            burst: key === "wide" ? 5 : 3,
            everyMs: key === "wide" ? 400 : 1000,
          }));
          const used = ({ key }: { key: string }) => Math.max(0, (fullAt.get(key) ?? 0) - time.now);
          const fits = levels.every((level) => used(level) <= (level.burst - 1) * level.everyMs);
          if (fits) for (const level of levels) fullAt.set(level.key, time.now + used(level) + level.everyMs);
          const wait = await servers[server]!.take(levels);
          expect(wait === 0).toBe(fits);
          const [level] = levels;
          expect(await servers[1 - server]!.left(level!)).toBe(
            Math.floor(level!.burst - used(level!) / level!.everyMs),
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  test("2. and 3. at once", async () => {
    await using opened = await openTestAccounts(kind);
    const { accounts, time } = opened;
    const options = { name: "mail", perMinute: 10, burst: 10, shared: createSharedCounts(accounts) };
    const servers = [createNetworkCount(accounts, options), createNetworkCount(accounts, options)];
    const take = (at: number) => servers[at % 2]!.take(`2001:db8:7:${(at % 40).toString(16)}::1`);
    const waits = await Promise.all(Array.from({ length: 400 }, (_, at) => take(at)));
    const taken = waits.filter((wait) => wait === 0).length;
    // 40 clients of one network of 56 bits: four clients' worth.
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(40);
    const rows = await accounts.db.selectFrom("limit_counts").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/db8/);
    time.now += 3_600_000;
    await servers[0]!.take("192.0.2.1");
    expect(await accounts.db.selectFrom("limit_counts").select("key").execute()).toHaveLength(2);
  });
});

test("4. without a database that counts", async () => {
  await using opened = await openTestAccounts("sqlite");
  const away = {
    ...opened.accounts,
    database: { ...opened.accounts.database, kind: "postgres" as const },
    // Any use of the database fails.
    db: new Proxy(opened.accounts.db, {
      get() {
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      },
    }),
  };
  for (const accounts of [opened.accounts, away]) {
    const options = { name: "mail", perMinute: 10, burst: 10, shared: createSharedCounts(accounts) };
    const count = createNetworkCount(accounts, options);
    let taken = 0;
    for (let at = 0; at < 12; at += 1) taken += (await count.take("192.0.2.1")) === 0 ? 1 : 0;
    expect(taken).toBe(10);
  }
});
