/**
 * On SQLite, and on PostgreSQL where `MILLRACE_TEST_DATABASE_URL` names one:
 *
 * 1. Whichever migrations a database has run, all have run exactly once afterwards; a failing migration leaves nothing.
 * 2. A database of the next release is accepted, a database of the release after that is refused untouched.
 * 3. Transactions behave as if run in sequence: none of their additions is lost. However many change the same few rows, none is
 *    refused.
 * 4. Whole numbers up to 2^53 - 1 and texts are read as they were written, texts sorted by bytes.
 * 5. One holder has a lease; another gets it once it was released or has expired.
 * 6. Work that only one server does: meanwhile another does nothing, and gets null; two jobs of one server may run at the same
 *    time, and the last one releases the lease. Work whose lease was taken by another server is aborted.
 */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Database, inTransaction, isDuplicate, openDatabase } from "./database.ts";
import { createLeaseholder, leaseMigrations, type LeaseTables, releaseLease, takeLease } from "./lease.ts";
import { type Migration, NewerDatabaseError } from "./migrate.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";

interface Tables extends LeaseTables {
  counters: { name: string; count: number };
}

const counters: Migration = {
  name: "counters-1",
  release: 1,
  async up(db) {
    await db.schema
      .createTable("counters")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("count", "bigint", (column) => column.notNull())
      .execute();
  },
};
const noted = (name: string, release: number): Migration => ({
  name,
  release,
  up: async (db) => void (await db.insertInto("counters").values({ name, count: release }).execute()),
});
const failing: Migration = {
  name: "z-fails",
  release: 2,
  up: async (db) => void (await sql`insert into nowhere values (1)`.execute(db)),
};
const names = async ({ db }: Database<Tables>) =>
  (await db.selectFrom("counters").select("name").orderBy("name").execute()).map(({ name }) => name);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. migrations run once, all or none", async () => {
    const place = await openTestDatabase(kind);
    const open = (...migrations: Migration[]) => openDatabase<Tables>({ at: place.at, migrations });
    await (await open(counters)).close();
    await expect(open(counters, noted("a", 2), failing)).rejects.toThrow("nowhere");
    // Two servers start at the same time; in one process SQLite would wait for itself.
    const starts = kind === "postgres" ? 2 : 1;
    const opened = await Promise.all(Array.from({ length: starts }, () => open(counters, noted("a", 2))));
    for (const one of opened) expect(await names(one)).toEqual(["a"]);
    await Promise.all(opened.map((one) => one.close()));
    const again = await open(counters, noted("a", 2), noted("b", 2));
    expect(await names(again)).toEqual(["a", "b"]);
    await again.close();
    await place.remove();
  });

  test("2. newer releases", async () => {
    const place = await openTestDatabase(kind);
    const open = (...migrations: Migration[]) => openDatabase<Tables>({ at: place.at, migrations });
    await (await open(counters, noted("a", 2))).close();
    await (await open(counters)).close();
    await (await open(counters, noted("a", 2), noted("b", 3))).close();
    await expect(open(counters)).rejects.toThrow(NewerDatabaseError);
    const after = await open(counters, noted("a", 2));
    expect(await names(after)).toEqual(["a", "b"]);
    await after.close();
    await place.remove();
  });

  test("3. and 4. transactions and values", async () => {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<Tables>({ at: place.at, migrations: [counters] });
    const { db } = database;
    await db.insertInto("counters").values({ name: "n", count: 0 }).execute();
    await Promise.all(
      Array.from({ length: 20 }, () =>
        inTransaction(database, async (transaction) => {
          const row = await transaction.selectFrom("counters").select("count").executeTakeFirstOrThrow();
          await transaction
            .updateTable("counters")
            .set({ count: row.count + 1 })
            .execute();
        }),
      ),
    );
    expect(await db.selectFrom("counters").selectAll().execute()).toEqual([{ name: "n", count: 20 }]);
    await expect(db.insertInto("counters").values({ name: "n", count: 1 }).execute()).rejects.toSatisfy(
      isDuplicate,
    );
    const rest = ["B", "a", "ä", "Z", "日本"].map((name) => ({ name, count: Number.MAX_SAFE_INTEGER }));
    await db.insertInto("counters").values(rest).execute();
    expect(await names(database)).toEqual(["B", "Z", "a", "n", "ä", "日本"]);
    expect(await db.selectFrom("counters").select("count").where("name", "=", "a").execute()).toEqual([
      { count: Number.MAX_SAFE_INTEGER },
    ]);
    await database.close();
    await place.remove();
  });

  test("3. very many on the same few rows", async () => {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<Tables>({ at: place.at, migrations: [counters] });
    const added = Array.from({ length: 60 }, (_, index) => `row-${index}`);
    const add = (name: string) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction.selectFrom("counters").select("name").execute();
        // Like a busy machine, where the others read the same data meanwhile.
        if (kind === "postgres") await sql`select pg_sleep(0.05)`.execute(transaction);
        await transaction.insertInto("counters").values({ name, count: rows.length }).execute();
      });
    await Promise.all(added.map(add));
    const counts = await database.db.selectFrom("counters").select("count").orderBy("count").execute();
    expect(counts.map(({ count }) => count)).toEqual(added.map((_, index) => index));
    await database.close();
    await place.remove();
  });

  test("5. leases", async () => {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<Tables>({ at: place.at, migrations: leaseMigrations });
    const take = (holder: string, now: number) =>
      takeLease(database.db as never, { name: "sweep", holder, now, lastsMs: 1000 });
    const both = await Promise.all([take("a", 0), take("b", 0)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    const [winner, loser] = both[0] ? ["a", "b"] : ["b", "a"];
    expect(await take(winner, 500)).toBe(true);
    expect(await take(loser, 1400)).toBe(false);
    expect(await take(loser, 1500)).toBe(true);
    await releaseLease(database.db as never, { name: "sweep", holder: winner });
    expect(await take(winner, 1600)).toBe(false);
    await releaseLease(database.db as never, { name: "sweep", holder: loser });
    expect(await take(winner, 1600)).toBe(true);
    await database.close();
    await place.remove();
  });

  test("6. work that one server does", async () => {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<LeaseTables>({ at: place.at, migrations: leaseMigrations });
    let now = 0;
    const serverOf = (lastsMs: number) =>
      createLeaseholder(database.db, { name: "sweep", lastsMs, clock: () => now });
    const { signal } = new AbortController();
    const [mine, other] = [serverOf(60_000), serverOf(60_000)];
    const work = () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      return { done: mine(() => promise, signal), end: () => resolve("done") };
    };
    const isBusy = async () => (await other(() => Promise.resolve("done"), signal)) === null;
    const [first, second] = [work(), work()];
    expect(await isBusy()).toBe(true);
    first.end();
    expect([await first.done, await isBusy()]).toEqual(["done", true]);
    second.end();
    expect([await second.done, await isBusy()]).toEqual(["done", false]);

    // Each begins while the last one releases the lease.
    for (let round = 0; round < 20; round += 1) {
      const last = work();
      last.end();
      await Promise.resolve();
      const next = work();
      await last.done;
      expect(await isBusy()).toBe(true);
      next.end();
      await next.done;
    }

    const begun = Promise.withResolvers<void>();
    const slow = serverOf(30)((lost) => {
      begun.resolve();
      return new Promise((resolve) => lost.addEventListener("abort", () => resolve(String(lost.reason))));
    }, signal);
    await begun.promise;
    now = 30;
    expect(await other(() => slow, signal)).toContain("Another server does sweep now.");
    await database.close();
    await place.remove();
  });
});
