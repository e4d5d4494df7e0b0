/**
 * Two servers that put into one namespace, on one PostgreSQL:
 * 1. Concurrent puts of new keys, the same keys and the same bytes neither undo each other nor are refused. A lock on the
 *    namespace's row does not block them.
 * 2. Totals match the content, also for a new overlay, while entries are put, used and removed at both, and by a server of the
 *    previous release, which changes the rows of namespaces itself.
 * 3. Entries that a killed server has put count; added up by several servers at the same time they count once.
 */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#accounts/index.ts";
import { conflictsOf, inTransaction } from "#platform/database/database.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { addUpChanges } from "./records/changes.ts";
import type { RunningCache } from "./create-cache.ts";
import { namespaceIdOf } from "./records/namespaces.ts";
import { organizationActor, OVERLAY_JOB, OWNER } from "./testing/actors.ts";
import { openTestCache, putEntry, type TestCache } from "./testing/cache.ts";

const WORKERS = 64;
const PUTS = 30;
const SIZE = 200;

const organization = organizationActor("acme");
const TRUSTED = namespaceIdOf({ organizationId: "org_acme", tool: "gradle", overlay: "" });

/** Warnings of background work. */
let warned: string[] = [];
let first: TestCache;
let second: Awaited<ReturnType<TestCache["openAnother"]>>;

const put = async (cache: RunningCache, key: string, content: string, actor: Actor = organization) =>
  putEntry(cache, await cache.grant(actor, "gradle", "write"), { key, content: Buffer.alloc(SIZE, content) });

/** Half of them with keys and bytes that all workers share. */
async function putMany(actors: readonly Actor[], puts = PUTS): Promise<void> {
  const work = async (worker: number) => {
    const { cache } = worker % 2 === 0 ? first : second;
    const actor = actors[Math.floor(worker / 2) % actors.length];
    for (let number = 0; number < puts; number += 1) {
      const key = number % 2 === 0 ? `own-${worker}-${number}` : `shared-${(worker + number) % 7}`;
      await put(cache, key, number % 2 === 0 ? key : `${number % 3} `, actor);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
}

const query = async <Row>(statement: ReturnType<typeof sql<Row>>) =>
  (await statement.execute(first.database.db)).rows;

/** The totals that the application shows, and the real ones. */
async function expectExact(): Promise<void> {
  const [shown] = await second.cache.usage(OWNER, { tool: "gradle" });
  const counted = await query(
    sql<object>`select id, entries, size_bytes from cache_namespaces where entries <> 0 order by id`,
  );
  const held = await query(
    sql<{ entries: number; size_bytes: number }>`select namespace_id as id, count(*) as entries,
      sum(size) as size_bytes from cache_entries group by namespace_id order by namespace_id`,
  );
  const sum = (of: "entries" | "size_bytes") => held.reduce((all, row) => all + row[of], 0);
  expect(counted).toEqual(held);
  expect([shown?.entries, shown?.bytes]).toEqual([sum("entries"), sum("size_bytes")]);
  const wrong = sql<object>`select b.digest from blobs b left join cache_entries e on e.digest = b.digest
    group by b.digest having b.reference_count <> count(e.key)`;
  expect(await query(wrong)).toEqual([]);
}

/** The statements of the previous release. */
async function putAsBefore(key: string): Promise<void> {
  const row = { namespace_id: TRUSTED, key, digest: `sha256:${key}`, size: SIZE };
  const times = { written_at: Date.now(), used_at: Date.now() };
  await inTransaction(second.database, async (transaction) => {
    const blob = { digest: row.digest, size: SIZE, stored_bytes: SIZE, place: null, held_until: 0 };
    await transaction
      .insertInto("blobs")
      .values({ ...blob, encoding: "identity", reference_count: 1, is_damaged: 0 })
      .execute();
    await transaction
      .insertInto("cache_entries")
      .values({ ...row, ...times, meta: "", writer_id: "cwr_other" })
      .execute();
    await transaction
      .updateTable("cache_namespaces")
      .set((column) => ({
        entries: column("entries", "+", 1),
        size_bytes: column("size_bytes", "+", SIZE),
      }))
      .where("id", "=", TRUSTED)
      .execute();
  });
}

describe.skipIf(!testDatabaseKinds.includes("postgres"))("two servers (skipped without PostgreSQL)", () => {
  beforeEach(async () => {
    warned = [];
    const warn = (line: string) => void warned.push(line);
    first = await openTestCache("postgres", { log: { ...consoleLog, info() {}, warn, error: warn } });
    second = await first.openAnother();
    await first.database.db
      .insertInto("organizations")
      .values({ id: "org_acme", name: "acme", is_first: null, created_at: 0 })
      .execute();
  });
  afterEach(async () => {
    await second.close();
    await first.close();
    expect(warned).toEqual([]);
  });

  test("1. none is undone", { timeout: 120_000 }, async () => {
    const conflicts = () => [first, second].map(({ database }) => ({ ...conflictsOf(database.db) }));
    await put(first.cache, "shared-0", "first");
    const before = conflicts();
    await putMany([organization]);
    expect(conflicts()).toEqual(before);
    await first.database.db.transaction().execute(async (holder) => {
      await holder.selectFrom("cache_namespaces").selectAll().forUpdate().execute();
      await putMany([organization], 2);
    });
    await expectExact();
  });

  test("2. totals are exact", { timeout: 120_000 }, async () => {
    await put(first.cache, "shared-0", "first");
    const over = new AbortController();
    const untilOver = async (run: () => Promise<unknown>) => {
      while (!over.signal.aborted) await run();
    };
    let number = 0;
    const others = [
      untilOver(() => putAsBefore(`before-${(number += 1)}`)),
      untilOver(() => first.cache.purge(OWNER, { tokenId: organization.tokenId ?? "" })),
      untilOver(() => second.cache.sweep()),
    ];
    await putMany([organization, OVERLAY_JOB]).finally(() => over.abort());
    await Promise.all(others);
    await expectExact();
    await first.cache.reset(OWNER, "gradle");
    await expectExact();
    expect(await query(sql<object>`select key from cache_entries`)).toEqual([]);
  });

  test("3. added up once", async () => {
    await put(first.cache, "one", "one", OVERLAY_JOB);
    await put(first.cache, "two", "two");
    const third = await first.openAnother();
    const adding = [first, second, third].map(({ database }) => addUpChanges(database, Date.now()));
    await Promise.all(adding);
    await expectExact();
    await put(first.cache, "three", "three", OVERLAY_JOB);
    await third.close();
    await expectExact();
    expect(await query(sql<object>`select * from cache_changes`)).toEqual([]);
  });
});
