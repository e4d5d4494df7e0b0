/**
 * Concurrent work on few keys; with PostgreSQL by two servers:
 * 1. The entry of a key's last writer stays: never an entry that another had replaced before it was begun. A reader of the same
 *    server never finds an entry that was replaced before the reader asked.
 * 2. Puts, reads, resets, purges, sweeps and collections run concurrently in any order: none of them fails, found entries are
 *    whole, and afterwards there are as many references as entries, totals are sums, every entry can be read, and the folder
 *    has the files of the blobs that are named, and no other.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { type Actor, Refused } from "#accounts/index.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { RunningCache } from "./create-cache.ts";
import { organizationActor, OVERLAY_JOB, OWNER } from "./testing/actors.ts";
import { openTestCache, putEntry, readEntry, type TestCache } from "./testing/cache.ts";

const KEYS = ["ac/1", "ac/2", "cas/1", "cas/2"];
/** Empty, in the database, in files. */
const SIZES = [0, 10, 4_096, 4_097, 9_000];
const WORKERS = 12;
const STEPS = 25;
const QUOTA_BYTES = 25_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const organization = organizationActor("acme");
const actors = [organization, OWNER, OVERLAY_JOB];

const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
const digestOf = (content: Uint8Array) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

interface System extends TestCache {
  /** Servers on the same records and files; SQLite has one. */
  caches: readonly RunningCache[];
  closeOthers: () => Promise<void>;
  time: { ahead: number };
}

let system: System | undefined;
afterEach(async () => {
  await system?.closeOthers();
  await system?.close();
  system = undefined;
});

async function open(kind: DatabaseKind, quotaBytes: number): Promise<System> {
  const time = { ahead: 0 };
  const fail = (message: string, fields?: object): never => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  };
  const log = { ...consoleLog, info: () => {}, warn: fail, error: fail };
  const clock = () => Date.now() + time.ahead;
  const opened = await openTestCache(kind, { quotaBytes, log, clock });
  await opened.database.db
    .insertInto("organizations")
    .values({ id: "org_acme", name: "acme", is_first: null, created_at: 0 })
    .execute();
  const others = kind === "sqlite" ? [] : [await opened.openAnother()];
  const closeOthers = async () => void (await Promise.all(others.map((other) => other.close())));
  const caches = [opened, ...others].map(({ cache }) => cache);
  system = Object.assign(opened, { caches, closeOthers, time });
  return system;
}

const put = async (cache: RunningCache, actor: Actor, entry: { key: string; content: Buffer }) =>
  putEntry(cache, await cache.grant(actor, "bazel", "write"), entry);

/** @returns undefined for a miss, also when the entry was removed after it was found */
async function get(cache: RunningCache, actor: Actor, key: string): Promise<Buffer | undefined> {
  const grant = await cache.grant(actor, "bazel", "read");
  const entry = await cache.find(grant, key);
  if (!entry) return undefined;
  try {
    const content = await readEntry(cache, entry);
    expect(digestOf(content)).toBe(entry.blob.digest);
    return content;
  } catch (error) {
    if (!(error instanceof MissingBytesError)) throw error;
    cache.countMiss(grant, key);
    return undefined;
  }
}

const inParallel = (run: (worker: number) => Promise<void>) =>
  Promise.all(Array.from({ length: WORKERS }, (_, worker) => run(worker)));

async function checkAll({ database: { db }, caches, collector, time, folder }: System): Promise<void> {
  for (const cache of caches) await cache.sweep();
  await collectNow(collector);
  const entries = await db
    .selectFrom("cache_entries")
    .select(["namespace_id", "key", "digest", "size"])
    .execute();
  const blobs = await db
    .selectFrom("blobs")
    .select(["digest", "reference_count", "place", "is_damaged"])
    .execute();
  const namespaces = await db
    .selectFrom("cache_namespaces")
    .select(["id", "entries", "size_bytes"])
    .execute();
  const names = Map.groupBy(entries, ({ digest }) => digest);
  expect(Object.fromEntries(blobs.map((blob) => [blob.digest, blob.reference_count]))).toEqual(
    Object.fromEntries([...names].map(([digest, those]) => [digest, those.length])),
  );
  expect(blobs.filter((blob) => blob.is_damaged)).toEqual([]);
  for (const { id, entries: counted, size_bytes: bytes } of namespaces) {
    const those = entries.filter((entry) => entry.namespace_id === id);
    expect([counted, bytes]).toEqual([those.length, those.reduce((sum, { size }) => sum + size, 0)]);
  }
  // Servers may remember an entry for a few seconds after another server changed it.
  time.ahead += DAY_MS / 2;
  const trusted = (await caches[0]!.grant(organization, "bazel", "read")).reads[0];
  for (const cache of caches)
    for (const key of KEYS) {
      const entry = entries.find((one) => one.namespace_id === trusted && one.key === key);
      const found = await get(cache, organization, key);
      expect([key, found && digestOf(found)]).toEqual([key, entry?.digest]);
    }
  time.ahead += 2 * DAY_MS;
  await collector.removeOrphans();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const places = blobs.flatMap(({ place }) => (place === null ? [] : [place]));
  expect(files.map(({ name }) => name).toSorted()).toEqual(places.toSorted());
}

interface Written {
  key: string;
  content: Buffer;
  begun: number;
  ended: number;
}

/** Whether it was replaced before that time. */
const isOld = (written: Written, all: readonly Written[], at: number) =>
  all.some((other) => other.key === written.key && other.begun > written.ended && other.ended < at);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. the last writer's entry stays", { timeout: 120_000 }, async () => {
    const { caches } = await open(kind, 1_000_000_000);
    const all: Written[] = [];
    let time = 0;
    await inParallel(async (worker) => {
      const cache = caches[worker % caches.length]!;
      for (let step = 0; step < STEPS; step += 1) {
        const key = oneOf(KEYS);
        if (Math.random() < 0.5) {
          const content = Buffer.alloc(Math.max(20, oneOf(SIZES)), `${worker} ${step} `);
          const written = { key, content, begun: (time += 1), ended: Number.POSITIVE_INFINITY };
          all.push(written);
          await put(cache, organization, { key, content });
          written.ended = time += 1;
          continue;
        }
        const asked = (time += 1);
        const found = await get(cache, organization, key);
        if (found === undefined || caches.length > 1) continue;
        const written = all.find(({ content }) => content.equals(found))!;
        expect([written.key, isOld(written, all, asked)]).toEqual([key, false]);
      }
    });
    await checkAll(system!);
    for (const key of KEYS) {
      const found = await get(caches[0]!, organization, key);
      const written = all.find(({ content }) => found && content.equals(found));
      expect([key, written && isOld(written, all, Number.POSITIVE_INFINITY)]).toEqual([key, false]);
    }
  });

  test.each([1, 2, 3])("2. everything at once, round %d", { timeout: 120_000 }, async () => {
    const { caches, collector } = await open(kind, QUOTA_BYTES);
    const actions: Record<string, (cache: RunningCache, actor: Actor) => Promise<unknown>> = {
      reset: (cache) => cache.reset(OWNER, "bazel"),
      purge: (cache, { tokenId }) =>
        cache.purge(OWNER, { tokenId: tokenId ?? "" }).catch((error: unknown) => {
          // No one has written with it yet.
          if (!(error instanceof Refused)) throw error;
        }),
      sweep: (cache) => cache.sweep(),
      collect: () => collector.collect(),
      findMany: async (cache, actor) => cache.findMany(await cache.grant(actor, "bazel", "read"), KEYS),
    };
    await inParallel(async (worker) => {
      const cache = caches[worker % caches.length]!;
      for (let step = 0; step < STEPS; step += 1) {
        const [actor, key, chance] = [oneOf(actors), oneOf(KEYS), Math.random()];
        // The same bytes under several keys, and several times.
        const content = Buffer.alloc(oneOf(SIZES), `${Math.floor(Math.random() * 3)} `);
        if (chance < 0.45) await put(cache, actor, { key, content });
        else if (chance < 0.75) await get(cache, actor, key);
        else await oneOf(Object.values(actions))(cache, actor);
      }
    });
    await checkAll(system!);
  });
});
