/**
 * Against a Map, over any order of operations on a cache:
 * 1. An entry is there, with the bytes that were put last, exactly when no reset, purge, age, quota or damage has removed it; a
 *    quota removes the least recently used entries.
 * 2. The database's counts match the content, after any operations: entries, bytes, references.
 * 3. When all is collected, the folder has one file for each blob that an entry names, and nothing else.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { describe, expect, test } from "vitest";
import { longer } from "#platform/testing/longer.ts";
import type { Grant } from "./contract/cache.ts";
import { LAST_USE_EXACT_MS, SHRINK_TO } from "./contract/limits.ts";
import { organizationActor, OVERLAY_JOB, OWNER } from "./testing/actors.ts";
import { openTestCache, putEntry, readEntry, type TestCache } from "./testing/cache.ts";
import { writerIdOf } from "./entries/writers.ts";

const QUOTA = 30_000;
const RETENTION_MS = 24 * 60 * 60 * 1000;
const KEYS = ["ac/1", "ac/2", "cas/1", "cas/2", "cas/3", "cas/4"];
/** Empty, in the database, exactly at its limit, in files. */
const SIZES = [0, 10, 4096, 4097, 9_000, 20_000];

const organization = organizationActor("acme");
const ACTORS = { organization, owner: OWNER, job: OVERLAY_JOB };
type ActorName = keyof typeof ACTORS;

const contentOf = (number: number, size: number) => Buffer.alloc(size, `${number} of ${size} `);
const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

type Step =
  | { do: "put"; by: ActorName; key: string; number: number; size: number }
  | { do: "get"; by: ActorName; key: string }
  | { do: "findMany"; by: ActorName; keys: string[] }
  | { do: "pass"; ms: number }
  | { do: "damage"; key: string }
  | { do: "sweep" | "collect" | "restart" }
  | { do: "reset" }
  | { do: "purge"; of: ActorName };

const by = fc.constantFrom<ActorName>("organization", "owner", "job");
const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("put" as const),
      by,
      key,
      number: fc.nat(2),
      size: fc.constantFrom(...SIZES),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("get" as const), by, key }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("findMany" as const), by, keys: fc.uniqueArray(key) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.constantFrom(LAST_USE_EXACT_MS, 60 * 60 * 1000, RETENTION_MS / 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("damage" as const), key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom<"sweep" | "collect" | "restart">("sweep", "collect", "restart"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const), of: by }) },
);

interface Entry {
  space: "trusted" | "overlay";
  key: string;
  content: Buffer;
  by: ActorName;
  usedAt: number;
}

/** The oracle. */
class Model {
  readonly entries = new Map<string, Entry>();
  readonly damaged = new Set<string>();
  now = 1_800_000_000_000;

  spacesOf = (name: ActorName) =>
    name === "job" ? (["overlay", "trusted"] as const) : (["trusted"] as const);

  put(name: ActorName, key: string, content: Buffer): void {
    const space = this.spacesOf(name)[0];
    this.damaged.delete(digestOf(content));
    this.entries.set(`${space} ${key}`, { space, key, content, by: name, usedAt: this.now });
  }

  find(name: ActorName, key: string): Entry | undefined {
    for (const space of this.spacesOf(name)) {
      const entry = this.entries.get(`${space} ${key}`);
      if (!entry || this.damaged.has(digestOf(entry.content))) continue;
      entry.usedAt = this.now;
      return entry;
    }
    return undefined;
  }

  remove(isGone: (entry: Entry) => boolean): void {
    for (const [name, entry] of this.entries) if (isGone(entry)) this.entries.delete(name);
  }

  get bytes(): number {
    return [...this.entries.values()].reduce((sum, { content }) => sum + content.length, 0);
  }
}

async function openSystem(kind: (typeof testDatabaseKinds)[number], model: Model) {
  const test = await openTestCache(kind, {
    quotaBytes: QUOTA,
    retentionMs: RETENTION_MS,
    clock: () => model.now,
    log: { ...consoleLog, info: () => {}, warn: fail, error: fail },
  });
  await test.database.db
    .insertInto("organizations")
    .values({ id: "org_acme", name: "acme", is_first: null, created_at: 0 })
    .execute();
  return test;
}

function fail(message: string, fields?: object): never {
  throw new Error(`${message} ${JSON.stringify(fields)}`);
}

const grantOf = (test: TestCache, name: ActorName): Promise<Grant> =>
  test.cache.grant(ACTORS[name], "bazel", "write");

async function read(test: TestCache, name: ActorName, wanted: string): Promise<Buffer | undefined> {
  const grant = await grantOf(test, name);
  const entry = await test.cache.find(grant, wanted);
  return entry && readEntry(test.cache, entry);
}

async function run(test: TestCache, model: Model, step: Step): Promise<void> {
  switch (step.do) {
    case "put": {
      const content = contentOf(step.number, step.size);
      await putEntry(test.cache, await grantOf(test, step.by), { key: step.key, content });
      return model.put(step.by, step.key, content);
    }
    case "get": {
      const expected = model.find(step.by, step.key)?.content;
      const found = await read(test, step.by, step.key);
      expect(found && digestOf(found)).toEqual(expected && digestOf(expected));
      return;
    }
    case "findMany": {
      const found = await test.cache.findMany(await grantOf(test, step.by), step.keys);
      const expected = step.keys.flatMap((key) => {
        const entry = model.find(step.by, key);
        return entry ? [[key, entry.content.length] as const] : [];
      });
      expect([...found].toSorted()).toEqual(expected.toSorted());
      return;
    }
    case "pass":
      await test.cache.sweep();
      checkQuota(await namesIn(test), model);
      model.now += step.ms;
      return;
    case "damage":
      return damage(test, model, step.key);
    case "sweep":
      await test.cache.sweep();
      return checkQuota(await namesIn(test), model);
    case "collect":
      await collectNow(test.collector);
      return;
    case "restart":
      return test.restart();
    case "reset":
      await test.cache.reset(OWNER, "bazel");
      return model.entries.clear();
    default: {
      const [tokenId] = [ACTORS[step.of].tokenId ?? ""];
      const writes = [...model.entries.values()].some((entry) => entry.by === step.of);
      const purged = test.cache.purge(OWNER, { tokenId });
      if (writes) await purged;
      else await purged.catch(() => {});
      model.remove((entry) => entry.by === step.of);
    }
  }
}

/** Changes a byte of an entry's file, and reads it once. */
async function damage(test: TestCache, model: Model, wanted: string): Promise<void> {
  const entry = model.entries.get(`trusted ${wanted}`);
  if (!entry) return;
  const row = await test.database.db
    .selectFrom("blobs")
    .select("place")
    .where("digest", "=", `sha256:${digestOf(entry.content)}`)
    .where("is_damaged", "=", 0)
    .executeTakeFirst();
  const place = row?.place;
  if (place == null) return;
  const file = join(test.folder, place.slice(0, 2), place);
  const bytes = readFileSync(file);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
  model.find("organization", wanted);
  await expect(read(test, "organization", wanted)).rejects.toThrow(DamagedBlobError);
  model.damaged.add(digestOf(entry.content));
}

async function namesIn({ database }: TestCache): Promise<Set<string>> {
  const rows = await database.db
    .selectFrom("cache_entries")
    .innerJoin("cache_namespaces", "cache_namespaces.id", "namespace_id")
    .select(["key", "overlay"])
    .execute();
  return new Set(rows.map(({ key, overlay }) => `${overlay === "" ? "trusted" : "overlay"} ${key}`));
}

/** Ages, then the quota, for which the oracle only knows what is allowed: ties, and uses that are exact to minutes. */
function checkQuota(there: ReadonlySet<string>, model: Model): void {
  model.remove((entry) => entry.usedAt < model.now - RETENTION_MS - LAST_USE_EXACT_MS);
  const gone = [...model.entries].filter(([name]) => !there.has(name)).map(([, entry]) => entry);
  const tooOld = gone.filter(({ usedAt }) => usedAt < model.now - RETENTION_MS + LAST_USE_EXACT_MS);
  const evicted = gone.filter((entry) => !tooOld.includes(entry));
  if (evicted.length > 0) {
    // Including those near the age limit: the quota may have removed them before the age did.
    expect(model.bytes).toBeGreaterThan(QUOTA);
    const kept = [...model.entries.values()].filter((entry) => !gone.includes(entry));
    const newest = Math.max(...evicted.map(({ usedAt }) => usedAt));
    for (const { usedAt } of kept) expect(usedAt).toBeGreaterThanOrEqual(newest - 2 * LAST_USE_EXACT_MS);
    // Not more than needed: with the last removed entry it would be too much.
    const largest = Math.max(...evicted.map(({ content }) => content.length));
    const after = kept.reduce((sum, { content }) => sum + content.length, 0);
    expect(after + largest).toBeGreaterThan(QUOTA * SHRINK_TO);
  }
  model.remove((entry) => gone.includes(entry));
  expect(model.bytes).toBeLessThanOrEqual(QUOTA);
  expect(there).toEqual(new Set(model.entries.keys()));
}

async function checkCounts({ database: { db } }: TestCache, model: Model): Promise<void> {
  const counted = await db
    .selectFrom("cache_namespaces")
    .select(["overlay", "entries", "size_bytes"])
    .execute();
  for (const { overlay, entries, size_bytes } of counted) {
    const those = [...model.entries.values()].filter(
      ({ space }) => (space === "overlay") === (overlay !== ""),
    );
    expect([entries, size_bytes]).toEqual([
      those.length,
      those.reduce((sum, { content }) => sum + content.length, 0),
    ]);
  }
  const blobs = await db.selectFrom("blobs").select(["digest", "reference_count"]).execute();
  const names = Map.groupBy(model.entries.values(), ({ content }) => `sha256:${digestOf(content)}`);
  for (const { digest, reference_count: count } of blobs)
    expect([digest, count]).toEqual([digest, names.get(digest)?.length ?? 0]);
  for (const digest of names.keys()) expect(blobs.map((blob) => blob.digest)).toContain(digest);
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. any order of things", { timeout: longer(300_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
        const model = new Model();
        const test = await openSystem(kind, model);
        try {
          for (const one of steps) await run(test, model, one);
          await test.cache.sweep();
          checkQuota(await namesIn(test), model);
          await checkCounts(test, model);
          await collectNow(test.collector);
          // Files that another upload has replaced are found by their age.
          model.now = Date.now() + 2 * 24 * 60 * 60 * 1000;
          await test.collector.removeOrphans();
          const files = readdirSync(test.folder, { recursive: true, withFileTypes: true }).filter((file) =>
            file.isFile(),
          );
          const large = new Set(
            [...model.entries.values()]
              .filter(({ content }) => content.length > 4096)
              .map(({ content }) => digestOf(content)),
          );
          expect(files).toHaveLength(large.size);
        } finally {
          await test.close();
        }
      }),
      { numRuns: longer(kind === "sqlite" ? 60 : 15) },
    );
  });

  test("2. what one token has written can be named and purged", async () => {
    const model = new Model();
    const test = await openSystem(kind, model);
    try {
      await run(test, model, { do: "put", by: "job", key: "ac/1", number: 1, size: 10 });
      await run(test, model, { do: "put", by: "organization", key: "ac/2", number: 1, size: 10 });
      const [first, second] = await test.cache.listWriters(OWNER, "bazel");
      const writers = [first, second].map((writer) => [
        writer?.tokenId,
        writer?.commitSha,
        writer?.ref,
        writer?.entries,
      ]);
      expect(writers.toSorted()).toEqual([
        ["tok_ci", null, null, 1],
        ["tok_job", "a1", "refs/pull/7/merge", 1],
      ]);
      expect(await test.cache.listWriters(OWNER, "turbo")).toEqual([]);
      expect((await test.cache.whoWrote(await grantOf(test, "job"), "ac/1"))?.tokenId).toBe("tok_job");
      const writerId = writerIdOf("org_acme", "tok_job");
      await expect(test.cache.purge(OVERLAY_JOB, { writerId })).rejects.toThrow(/job tokens may not purge/);
      expect(await test.cache.purge(organization, { writerId })).toEqual({ entries: 1, bytes: 10 });
      expect(await namesIn(test)).toEqual(new Set(["trusted ac/2"]));
      await expect(
        test.cache.purge({ ...organization, organizationId: "org_other" }, { writerId }),
      ).rejects.toThrow(/nothing in this organization/);
      const audited = await test.database.db
        .selectFrom("audit_events")
        .select(["action", "target_id"])
        .execute();
      expect(audited).toEqual([{ action: "cache.purge", target_id: "tok_job" }]);
    } finally {
      await test.close();
    }
  });
});
