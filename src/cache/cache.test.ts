/**
 * 1. A stored entry is found, with its bytes and the tool's metadata; another organization finds nothing.
 * 2. Equal bytes are stored once, and stay until the last entry that uses them is gone.
 * 3. Bytes that were changed on the disk are never answered whole; the next upload repairs them.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Cache, Grant } from "./contract/cache.ts";
import { organizationActor } from "./testing/actors.ts";
import { openTestCache, putEntry, readEntry } from "./testing/cache.ts";

const put = (cache: Cache, grant: Grant, [key, content]: readonly [string, Buffer]) =>
  putEntry(cache, grant, { key, content, meta: "meta" });

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.each(testDatabaseKinds)("%s", (kind) => {
  test.each([0, 11, 4096, 4097, 300_000])("1. an entry of %i bytes", async (size) => {
    const { cache, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(size);
    const grant = await cache.grant(organizationActor("acme"), "bazel", "write");
    await put(cache, grant, ["cas/1", content]);
    const entry = await cache.find(grant, "cas/1");
    expect(entry && (await readEntry(cache, entry)).equals(content)).toBe(true);
    expect(entry?.meta).toBe("meta");
    expect(await cache.findMany(grant, ["cas/1", "cas/2"])).toEqual(new Map([["cas/1", size]]));
    const others = await cache.grant(organizationActor("other"), "bazel", "write");
    expect(await cache.find(others, "cas/1")).toBeUndefined();
  });

  test("2. the same bytes twice", async () => {
    const { cache, folder, database, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(100_000);
    const grants = await Promise.all(
      ["acme", "other"].map((name) => cache.grant(organizationActor(name), "turbo", "write")),
    );
    await Promise.all(grants.map((grant) => put(cache, grant, ["a", content])));
    await vi.waitUntil(() => filesIn(folder).length === 1, { interval: 1 });
    const counts = () => database.db.selectFrom("blobs").select("reference_count").execute();
    expect(await counts()).toEqual([{ reference_count: 2 }]);
    await put(cache, grants[0]!, ["a", content]);
    expect(await counts()).toEqual([{ reference_count: 2 }]);
  });

  test("3. a damaged file", async () => {
    const { cache, folder, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(700_000);
    const grant = await cache.grant(organizationActor("acme"), "sccache", "write");
    await put(cache, grant, ["a", content]);
    const entry = await cache.find(grant, "a");
    await readEntry(cache, entry!);
    const [file] = filesIn(folder);
    writeFileSync(file!, Buffer.from(content).fill(content.at(-1)! ^ 255, 699_999));
    await expect(readEntry(cache, entry!)).rejects.toThrow(DamagedBlobError);
    expect(await cache.find(grant, "a")).toBeUndefined();
    await put(cache, grant, ["a", content]);
    expect((await readEntry(cache, (await cache.find(grant, "a"))!)).equals(content)).toBe(true);
  });
});
