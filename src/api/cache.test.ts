/**
 * CacheService over the cache itself:
 *
 * 1. The content of a tool's cache, and requests of the last 24 hours; with `interval` hours or days, the latest last; the
 *    time of the last request.
 * 2. A namespace is empty after a reset, and the answer says how much it held.
 * 3. Writers are listed; all entries of one writer can be deleted, and only those. Members may not.
 * 4. Errors in a request are named. A server without a cache says so.
 * 5. The largest entries of one tool or of all, ten at most, without those under 1 MB.
 * 6. Requests that missed are listed in pages; the simulation says how many of them would have hit.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#accounts/index.ts";
import { identify } from "#accounts/index.ts";
import { type Tool, TOOLS } from "#cache/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestApi, OWNER_TOKEN } from "./testing/api.ts";

const HOUR_MS = 60 * 60 * 1000;

describe.each(testDatabaseKinds)("%s", (kind) => {
  let api: Awaited<ReturnType<typeof openTestApi>>;
  beforeEach(async () => {
    api = await openTestApi(kind);
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const actorOf = (bearer: string): Promise<Actor> => identify(api.accounts, { bearer }, null);

  async function put(tool: Tool, key: string, text: string, bearer = OWNER_TOKEN): Promise<void> {
    const grant = await api.cache.grant(await actorOf(bearer), tool, "write");
    const upload = api.cache.receive(grant);
    await upload.write(Buffer.from(text));
    await api.cache.put(grant, key, await upload.finish());
  }
  async function find(tool: Tool, key: string): Promise<boolean> {
    const grant = await api.cache.grant(await actorOf(OWNER_TOKEN), tool, "read");
    return (await api.cache.find(grant, key)) !== undefined;
  }
  const usage = async (body: object = {}) =>
    (await api.call("CacheService/GetUsage", body)).body.namespaces as Record<string, unknown>[];

  test("1. usage", async () => {
    expect(await usage()).toEqual([]);
    await put("turbo", "a", "12345");
    await put("turbo", "b", "123");
    await put("bazel", "cas/a", "1");
    api.time.now += 30 * HOUR_MS;
    for (const key of ["a", "a", "b", "c"]) await find("turbo", key);
    const turbo = { tool: "turbo", entries: "2", size_bytes: "8", quota_bytes: "50000000000" };
    const last_request_at = new Date(api.time.now).toISOString().replace(/\.000Z$/, "Z");
    expect(await usage({ tool: "turbo" })).toEqual([
      { ...turbo, hits: "3", misses: "1", last_request_at, counts: [] },
    ]);
    expect((await usage()).map(({ tool, hits, misses }) => [tool, hits, misses])).toEqual([
      ["bazel", "0", "0"],
      ["turbo", "3", "1"],
    ]);
    expect(await usage({ tool: "sccache" })).toMatchObject([{ tool: "sccache", entries: "0" }]);
    const zero = { hits: "0", misses: "0", read_bytes: "0", written_bytes: "0" };
    const now = new Date(api.time.now).toISOString();
    for (const [interval, steps, start] of [
      ["hour", 24, `${now.slice(0, 13)}:00:00Z`],
      ["day", 14, `${now.slice(0, 10)}T00:00:00Z`],
    ] as const) {
      const counts = (await usage({ tool: "turbo", interval }))[0]!["counts"] as object[];
      expect(counts).toHaveLength(steps);
      expect(counts.at(-1)).toEqual({
        start_at: start,
        hits: "3",
        misses: "1",
        read_bytes: "13",
        written_bytes: "0",
      });
      const before = counts.slice(0, -1);
      // 30 hours ago is the previous day, and outside the last 24 hours.
      expect(before.filter((count) => JSON.stringify(count).includes('"written_bytes":"8"'))).toHaveLength(
        interval === "day" ? 1 : 0,
      );
      if (interval === "hour") for (const count of before) expect(count).toMatchObject(zero);
    }
  });

  test("2. reset", async () => {
    await put("turbo", "a", "12345");
    await put("bazel", "cas/a", "1");
    api.time.now += 1;
    expect((await api.call("CacheService/Reset", { tool: "turbo" })).body).toEqual({ freed_bytes: "5" });
    expect([await find("turbo", "a"), await find("bazel", "cas/a")]).toEqual([false, true]);
    expect((await usage({ tool: "turbo" }))[0]).toMatchObject({ entries: "0", size_bytes: "0" });
  });

  test("3. writers and purge", async () => {
    const { body: created } = await api.call("TokenService/Create", { name: "jenkins", type: "org" });
    await put("turbo", "mine", "123");
    api.time.now += 1;
    await put("turbo", "theirs", "1234567", created.secret);
    const { body } = await api.call("CacheService/ListWriters", { tool: "turbo" });
    expect(
      body.writers.map(({ name, kind: of, entries }: Record<string, string>) => [name, of, entries]),
    ).toEqual([
      ["jenkins", "organization", "1"],
      [expect.any(String), "user", "1"],
    ]);
    expect(body.writers[0]).toMatchObject({ token_id: created.token.id, commit_sha: "", run_url: "" });
    api.time.now += 1;
    const purged = await api.call("CacheService/Purge", { token_id: created.token.id });
    expect(purged.body).toEqual({ entries: "1", freed_bytes: "7" });
    expect([await find("turbo", "mine"), await find("turbo", "theirs")]).toEqual([true, false]);
    const [{ id }] = (await api.call("CacheService/ListWriters", { tool: "turbo" })).body.writers;
    api.time.now += 1;
    expect((await api.call("CacheService/Purge", { writer_id: id })).body.entries).toBe("1");
    const again = await api.call("CacheService/Purge", { writer_id: "cwr_0000000000000000" });
    expect([again.status, again.body.code]).toEqual([404, "not_found"]);
  });

  test("5. the largest entries", async () => {
    const largest = async (body: object = {}) =>
      (await api.call("CacheService/ListLargeEntries", body)).body.entries as Record<string, string>[];
    expect(await largest()).toEqual([]);
    const sizes = [999_999, 1_000_000, 3_000_000, 2_000_000];
    for (const [index, size] of sizes.entries())
      await put(index === 3 ? "bazel" : "turbo", `key ${size}`, "x".repeat(size));
    expect((await largest()).map(({ tool, key }) => [tool, key])).toEqual([
      ["turbo", "key 3000000"],
      ["bazel", "key 2000000"],
      ["turbo", "key 1000000"],
    ]);
    const [entry, ...rest] = await largest({ tool: "bazel" });
    expect(rest).toEqual([]);
    const now = new Date(api.time.now).toISOString().replace(/\.000Z$/, "Z");
    expect(entry).toMatchObject({ size_bytes: "2000000", written_at: now, used_at: now });
    expect(entry?.["writer"]).not.toBe("");
    for (let count = 0; count < 12; count += 1) await put("turbo", `more ${count}`, "y".repeat(1_000_001));
    expect(await largest()).toHaveLength(10);
  });

  test("6. misses and the simulation", async () => {
    await put("turbo", "turbo/there", "12345");
    for (const key of ["turbo/a", "turbo/b", "turbo/there"]) await find("turbo", key);
    await api.cache.flushMisses();
    const { body: first } = await api.call("CacheService/ListMisses", { tool: "turbo", page_size: 1 });
    const { body: next } = await api.call("CacheService/ListMisses", {
      tool: "turbo",
      page_token: first.next_page_token,
    });
    expect([...first.misses, ...next.misses].map(({ key, reason }) => [key, reason])).toEqual([
      ["turbo/a", "new"],
      ["turbo/b", "new"],
    ]);
    expect(next.next_page_token).toBe("");
    // One key in eight is sampled: these include some.
    const keys = Array.from({ length: 200 }, (_, index) => `turbo/${index}`);
    for (const key of keys) await put("turbo", key, "1");
    for (const key of [...keys, ...keys]) await find("turbo", key);
    const { body } = await api.call("CacheService/Simulate", { tool: "turbo" });
    expect(body).toMatchObject({ quota_bytes: "50000000000", requests: "403" });
    expect(Number(body.sampled_requests)).toBeGreaterThan(0);
    expect(body.rates.map((rate: Record<string, string>) => rate["quota_bytes"])).toEqual([
      "25000000000",
      "50000000000",
      "100000000000",
    ]);
    // All but three of them were hits, and entries this small are never removed.
    for (const { hits } of body.rates) expect(Number(hits)).toBeGreaterThan(390);
  });

  test("4. requests that are wrong", async () => {
    const all = TOOLS.join(", ");
    for (const [method, body, message] of [
      ["GetUsage", { tool: "make" }, `tool is unknown: it must be one of ${all}`],
      ["GetUsage", { interval: "week" }, "interval must be one of: hour, day"],
      ["Reset", {}, `tool is missing: it must be one of ${all}`],
      ["ListWriters", {}, `tool is missing: it must be one of ${all}`],
      ["Purge", {}, "send either writer_id or token_id"],
      ["Purge", { writer_id: "a", token_id: "b" }, "send either writer_id or token_id"],
    ] as const) {
      const answer = await api.call(`CacheService/${method}`, body);
      expect([method, answer.status, answer.body.message]).toEqual([method, 400, message]);
    }
  });

  test("4. a server without a cache", async () => {
    await using without = await openTestApi(kind, { cache: undefined });
    const { body } = await without.call("CacheService/GetUsage");
    expect(body).toMatchObject({
      code: "unimplemented",
      message: "The cache is not part of this server yet.",
    });
  });
});
