/**
 * On a slow PostgreSQL, where one organization has a thousand requests:
 * 1. Each request of another organization goes before all waiting requests: only work that is already running is done first.
 * 2. Alone, one organization has all connections.
 * 3. The server's own work waits in no organization's queue, whoever started it.
 * 4. A connection that is released with `destroy` is discarded.
 */
import { Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { noteHolder, runForRequest } from "../log/request-context.ts";
import { createFairPool } from "./fair-pool.ts";
import { gatherLookUps } from "./gather-look-ups.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";

const MOST = 10;

describe.skipIf(!testDatabaseKinds.includes("postgres"))("postgres", () => {
  async function open() {
    const place = await openTestDatabase("postgres");
    if (!("url" in place.at)) throw new Error("This is no PostgreSQL.");
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({ connectionString: place.at.url, max: MOST });
    const fair = createFairPool(pool, { most: MOST, waitMs: 60_000 });
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: fair }) });
    const done: string[] = [];
    const ask = (holder: string) =>
      runForRequest(holder, async () => {
        noteHolder(holder);
        await sql`select pg_sleep(0.01)`.execute(db);
        done.push(holder);
      });
    return {
      pool,
      fair,
      db,
      done,
      ask,
      async [Symbol.asyncDispose]() {
        await db.destroy();
        await place.remove();
      },
    };
  }

  test("1. beside a thousand requests", async () => {
    await using place = await open();
    const { ask, done } = place;
    const crowd = Array.from({ length: 1_000 }, () => ask("crowd"));
    for (let round = 0; round < 5; round += 1) {
      const before = done.length;
      await ask("quiet");
      expect(done.length - before).toBeLessThanOrEqual(3 * MOST);
    }
    await Promise.all(crowd);
    expect(done.filter((holder) => holder === "quiet")).toHaveLength(5);
    expect(done.lastIndexOf("quiet")).toBeLessThan(200);
  });

  test("2. alone", async () => {
    await using place = await open();
    await Promise.all(Array.from({ length: 50 }, () => place.ask("crowd")));
    expect(place.pool.totalCount).toBe(MOST);
  });

  test("3. shared look-ups", async () => {
    await using place = await open();
    const { ask, db, done } = place;
    const find = gatherLookUps(async (keys: readonly number[]) => {
      await sql`select 1`.execute(db);
      return keys;
    });
    const crowd = Array.from({ length: 1_000 }, () => ask("crowd"));
    const before = done.length;
    await runForRequest("crowd", () => {
      noteHolder("crowd");
      return find(1);
    });
    expect(done.length - before).toBeLessThanOrEqual(3 * MOST);
    await Promise.all(crowd);
  });

  test("4. a discarded connection", async () => {
    await using place = await open();
    const client = await place.fair.connect();
    client.release(true);
    expect(place.pool.totalCount).toBe(0);
  });
});
