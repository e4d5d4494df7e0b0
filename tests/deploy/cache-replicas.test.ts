/**
 * The build cache of two servers on one PostgreSQL and one bucket of S3:
 * 1. An entry stored at one server is answered by the other immediately, small or large; also while the first still
 *    remembers it.
 * 2. Two simultaneous writers of one key at both servers: one of them wins, whole, and both servers answer the same.
 * 3. A reset, a purge and an entry that was replaced at one server are seen at the other, which remembers for seconds only.
 * 4. Above the quota the oldest entries go, once: counts stay right, whichever server removes them.
 * 5. A server that is killed while it takes uploads loses nothing that it has acknowledged; the other continues, and
 *    unfinished uploads are found and removed.
 * 6. While S3 is unreachable, requests that need it are answered 503 with Retry-After, others are answered; then both
 *    continue.
 * 7. Both have the metrics.
 */
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseS3Address, type S3Address } from "#platform/blobs/s3-address.ts";
import { openS3Store } from "#platform/blobs/s3-store.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { SHARDS } from "#platform/blobs/byte-store.ts";
import { openDatabase } from "#platform/database/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { startTestS3, type TestS3 } from "#platform/testing/s3.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import type { RecordTables } from "#server/database/record-tables.ts";
import { type Answer, json, send } from "../attack/requests.ts";
import { OWNER_TOKEN, prepareBuild, type RunningServer, startServer } from "../attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";

/** Limits the wait for what never happens: on a busy machine everything takes longer. */
const AT_MOST_MS = 30_000;
const PAUSE_MS = 50;
const SMALL_BYTES = 1_000;
const LARGE_BYTES = 200_000;
/** More than one part in S3. */
const PARTS_BYTES = 20_000_000;
const QUOTA_BYTES = 50_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const METRICS_TOKEN = "of-the-replicas-0123456789";

const programs = findPostgres();
const authorization = `Bearer ${OWNER_TOKEN}`;
const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

describe.skipIf(!programs)("the cache of two servers (skipped where PostgreSQL is not installed)", () => {
  let postgres: RunningPostgres;
  let s3: TestS3;
  let first: RunningServer;
  let second: RunningServer;
  let env: { [name: string]: string };
  let client: pg.Client;

  beforeAll(async () => {
    await prepareBuild();
    [postgres, s3] = await Promise.all([startPostgres(programs!), startTestS3()]);
    env = {
      MILLRACE_DATABASE_URL: postgres.url,
      MILLRACE_SECRET_KEY: randomBytes(32).toString("base64"),
      MILLRACE_BLOB_URL: s3.url,
      MILLRACE_CACHE_QUOTA: "50MB",
      RATE_LIMIT_FACTOR: "0",
      METRICS_TOKEN,
    };
    [first, second] = await Promise.all([startServer({ env }), startServer({ env })]);
    client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
  }, 300_000);
  afterAll(async () => {
    await client?.end();
    await Promise.all([first?.stop(), second?.stop()]);
    await Promise.all([postgres?.close(), s3?.close()]);
  }, 60_000);

  const put = (server: RunningServer, path: string, body: Buffer): Promise<Answer> =>
    send(server.port, { method: "PUT", path: `/cache/${path}`, headers: { authorization }, body });
  const get = (server: RunningServer, path: string): Promise<Answer> =>
    send(server.port, { path: `/cache/${path}`, headers: { authorization } });

  async function call(server: RunningServer, method: string, body: object): Promise<unknown> {
    const sent = json(`/api/millrace.v1.${method}`, body, { headers: { authorization } });
    const answer = await send(server.port, sent);
    expect([method, answer.status, answer.body.toString()]).toEqual([method, 200, expect.any(String)]);
    return JSON.parse(answer.body.toString());
  }

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  }

  /** @throws Error when it does not come true */
  async function untilTrue(what: string, holds: () => Promise<boolean>): Promise<void> {
    const begun = performance.now();
    while (!(await holds())) {
      if (performance.now() - begun > AT_MOST_MS) throw new Error(`Not in ${AT_MOST_MS} ms: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Checks that counts match the stored entries. */
  async function checkCounts(): Promise<void> {
    const wrong = await query(`with counted as (
        select id, entries, size_bytes from cache_namespaces
        union all select namespace_id, entries, size_bytes from cache_changes
      ), sums as (select id, sum(entries) as entries, sum(size_bytes) as bytes from counted group by id)
      select s.id, s.entries, s.bytes, count(e.key), coalesce(sum(e.size), 0) as held
      from sums s left join cache_entries e on e.namespace_id = s.id
      group by s.id, s.entries, s.bytes having s.entries <> count(e.key) or s.bytes <> coalesce(sum(e.size), 0)`);
    const miscounted = await query(`select b.digest, b.reference_count, count(e.key)
      from blobs b left join cache_entries e on e.digest = b.digest
      group by b.digest having b.reference_count <> count(e.key)`);
    const lost = await query(
      `select key from cache_entries e where not exists (select 1 from blobs b where b.digest = e.digest)`,
    );
    expect({ wrong, miscounted, lost }).toEqual({ wrong: [], miscounted: [], lost: [] });
  }

  test("1. put at one, hit at the other", async () => {
    for (const [name, size] of [
      ["small", SMALL_BYTES],
      ["large", LARGE_BYTES],
      ["parts", PARTS_BYTES],
    ] as const) {
      const content = randomBytes(size);
      for (const [from, to] of [
        [first, second],
        [second, first],
      ] as const) {
        const path = `bazel/cas/${hashOf(content)}`;
        expect([name, (await put(from, path, content)).status]).toEqual([name, 200]);
        const found = await get(to, path);
        expect([name, found.status, found.body.equals(content)]).toEqual([name, 200, true]);
      }
    }
    await checkCounts();
  });

  test("2. two writers of one key", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const size = round % 2 === 0 ? SMALL_BYTES : LARGE_BYTES;
      const contents = Array.from({ length: 8 }, () => randomBytes(size));
      const path = `gradle/of-two-${round % 3}`;
      const answers = await Promise.all(
        contents.map((content, index) => put(index % 2 === 0 ? first : second, path, content)),
      );
      expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
      const isOne = async () => {
        const [one, two] = await Promise.all([get(first, path), get(second, path)]);
        return (
          one.status === 200 &&
          one.body.equals(two.body) &&
          contents.some((content) => content.equals(one.body))
        );
      };
      await untilTrue("both servers answer one of what was written", isOne);
    }
    await checkCounts();
  });

  test("3. reset, purge, replaced", { timeout: 60_000 }, async () => {
    const path = "gradle/of-both";
    const isGone = async () => (await get(second, path)).status === 404;
    const [old, later] = [randomBytes(SMALL_BYTES), randomBytes(LARGE_BYTES)];
    await put(first, path, old);
    expect((await get(second, path)).body.equals(old)).toBe(true);
    await put(first, path, later);
    const isNew = async () => (await get(second, path)).body.equals(later);
    await untilTrue("the other server has what replaced the entry", isNew);

    await call(first, "CacheService/Reset", { tool: "gradle" });
    await untilTrue("the other server sees the reset", isGone);
    expect((await get(first, path)).status).toBe(404);

    await put(first, path, old);
    expect((await get(second, path)).status).toBe(200);
    const [{ token_id: tokenId } = {}] = await query("select token_id from cache_writers");
    await call(first, "CacheService/Purge", { token_id: tokenId });
    await untilTrue("the other server sees the purge", isGone);
    await checkCounts();
    expect(await query("select key from cache_entries")).toEqual([]);
  });

  test("4. the quota", { timeout: 120_000 }, async () => {
    const size = 1_000_000;
    const names = Array.from({ length: 70 }, (_, index) => `gradle/of-quota-${index}`);
    for (let start = 0; start < names.length; start += 10) {
      const part = names.slice(start, start + 10);
      const answers = await Promise.all(
        part.map((name, index) => put(index % 2 === 0 ? first : second, name, randomBytes(size))),
      );
      expect(answers.map(({ status }) => status)).toEqual(part.map(() => 200));
    }
    const heldBytes = async () =>
      Number(
        (
          await query(`select sum(size) as bytes from cache_entries e
          join cache_namespaces n on n.id = e.namespace_id where tool = 'gradle'`)
        )[0]?.["bytes"],
      );
    const isWithin = async () => (await heldBytes()) <= QUOTA_BYTES;
    await untilTrue("the namespace is below its quota", isWithin);
    // Two servers that both remove would remove twice as much.
    expect(await heldBytes()).toBeGreaterThan(0.85 * QUOTA_BYTES);
    await checkCounts();
    expect((await get(second, names.at(-1)!)).status).toBe(200);
    expect((await get(first, names[0]!)).status).toBe(404);
  });

  test("5. kill -9 in the middle of uploads", { timeout: 180_000 }, async () => {
    await call(first, "CacheService/Reset", { tool: "gradle" });
    const acknowledged = new Map<string, Buffer>();
    let number = 0;
    let isOver = false;
    const upload = async () => {
      while (!isOver) {
        const name = `gradle/of-killed-${(number += 1)}`;
        const content = randomBytes([SMALL_BYTES, LARGE_BYTES][number % 2] ?? SMALL_BYTES);
        if ((await put(first, name, content)).status === 200) acknowledged.set(name, content);
        else isOver = true;
      }
    };
    const uploading = Promise.all(Array.from({ length: 8 }, upload));
    await untilTrue("40 uploads are acknowledged", async () => acknowledged.size > 40);
    await first.kill();
    await uploading;
    for (const [name, content] of acknowledged) {
      const found = await get(second, name);
      expect([name, found.status, found.body.equals(content)]).toEqual([name, 200, true]);
    }
    await checkCounts();
    first = await startServer({ env, dataDir: first.dataDir });
    const [name, content] = [...acknowledged].at(-1)!;
    expect((await get(first, name)).body.equals(content)).toBe(true);

    // A day later, by the collector's clock.
    const store = await openS3Store(parseS3Address(s3.url) as S3Address);
    const database = await openDatabase<RecordTables>({
      at: { url: postgres.url },
      migrations: recordMigrations,
    });
    const clock = () => Date.now() + 2 * DAY_MS;
    const collector = startCollector({ database, store, log: consoleLog, clock });
    await collector.collect();
    await collector.removeOrphans();
    await collector.stop();
    const kept: string[] = [];
    for (const shard of SHARDS) for await (const places of store.places(shard)) kept.push(...places);
    const named = await query("select place from blobs where place is not null");
    expect(kept.toSorted()).toEqual(named.map(({ place }) => String(place)).toSorted());
    await store.close();
    await database.close();
  });

  test("6. S3 is unreachable", { timeout: 120_000 }, async () => {
    const [small, large] = [randomBytes(SMALL_BYTES), randomBytes(LARGE_BYTES)];
    await put(first, "gradle/small", small);
    await put(first, "gradle/large", large);
    await s3.stop();
    for (const server of [first, second]) {
      const answers = [
        await get(server, "gradle/large"),
        await put(server, "gradle/other", randomBytes(LARGE_BYTES)),
      ];
      for (const { status, headers, body } of answers) {
        expect([status, headers["retry-after"]]).toEqual([503, expect.stringMatching(/^\d+$/)]);
        expect(JSON.parse(body.toString())).toMatchObject({ code: "unavailable" });
      }
      expect((await get(server, "gradle/small")).body.equals(small)).toBe(true);
      expect((await put(server, "gradle/small-too", small)).status).toBe(200);
      expect((await get(server, "gradle/other")).status).toBe(404);
    }
    await s3.start();
    for (const server of [first, second]) {
      const isBack = async () => (await get(server, "gradle/large")).body.equals(large);
      await untilTrue("the server reads from S3 again", isBack);
      expect((await put(server, "gradle/other", randomBytes(LARGE_BYTES))).status).toBe(200);
    }
    await checkCounts();
  });

  test("7. metrics", async () => {
    const entries = Number(
      (
        await query(`select count(*) as entries from cache_entries e
        join cache_namespaces n on n.id = e.namespace_id where tool = 'gradle'`)
      )[0]?.["entries"],
    );
    for (const server of [first, second]) {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const text = (await send(server.port, { path: "/metrics", headers })).body.toString();
      expect(text).toMatch(/^cache_requests_total\{tool="gradle",outcome="hit"\} [1-9]/m);
      expect(text).toContain(`cache_entries{tool="gradle"} ${entries}`);
    }
  });
});
