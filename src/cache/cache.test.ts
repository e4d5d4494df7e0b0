/**
 * 1. What was put is found, with its bytes and what the tool wanted back; another organization finds nothing.
 * 2. The same bytes are kept once, and stay until the last entry has let go of them.
 * 3. Bytes that were changed on the disk are never answered whole; the next upload mends them.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "#accounts/index.ts";
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { testDatabaseKinds } from "#platform/database/test-database.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Cache, FoundEntry, Grant } from "./cache.ts";
import { openTestCache } from "./test-cache.ts";

const organization = (name: string): Actor => ({
  kind: "organization",
  tokenId: `tok_${name}`,
  name: "ci",
  organizationId: `org_${name}`,
  organization: name,
  expiresAt: null,
  readOnly: false,
});

async function put(cache: Cache, grant: Grant, [key, content]: readonly [string, Buffer]): Promise<void> {
  const upload = cache.receive(grant);
  await upload.write(content);
  await cache.put(grant, key, await upload.finish(), "meta");
}

async function read(cache: Cache, entry: FoundEntry): Promise<Buffer> {
  const reader = await cache.blobs.open(entry.blob);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await reader.close();
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.each(testDatabaseKinds)("%s", (kind) => {
  test.each([0, 11, 4096, 4097, 300_000])("1. an entry of %i bytes", async (size) => {
    const { cache, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(size);
    const grant = await cache.grant(organization("acme"), "bazel", "write");
    await put(cache, grant, ["cas/1", content]);
    const entry = await cache.find(grant, "cas/1");
    expect(entry && (await read(cache, entry)).equals(content)).toBe(true);
    expect(entry?.meta).toBe("meta");
    expect(await cache.findMany(grant, ["cas/1", "cas/2"])).toEqual(new Map([["cas/1", size]]));
    const others = await cache.grant(organization("other"), "bazel", "write");
    expect(await cache.find(others, "cas/1")).toBeUndefined();
  });

  test("2. the same bytes twice", async () => {
    const { cache, folder, database, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(100_000);
    const grants = await Promise.all(
      ["acme", "other"].map((name) => cache.grant(organization(name), "turbo", "write")),
    );
    await Promise.all(grants.map((grant) => put(cache, grant, ["a", content])));
    expect(filesIn(folder)).toHaveLength(1);
    const counts = () => database.db.selectFrom("blobs").select("reference_count").execute();
    expect(await counts()).toEqual([{ reference_count: 2 }]);
    await put(cache, grants[0]!, ["a", content]);
    expect(await counts()).toEqual([{ reference_count: 2 }]);
  });

  test("3. a damaged file", async () => {
    const { cache, folder, close } = await openTestCache(kind);
    onTestFinished(close);
    const content = randomBytes(700_000);
    const grant = await cache.grant(organization("acme"), "sccache", "write");
    await put(cache, grant, ["a", content]);
    const entry = await cache.find(grant, "a");
    await read(cache, entry!);
    const [file] = filesIn(folder);
    writeFileSync(file!, Buffer.from(content).fill(0, 699_999));
    await expect(read(cache, entry!)).rejects.toThrow(DamagedBlobError);
    expect(await cache.find(grant, "a")).toBeUndefined();
    await put(cache, grant, ["a", content]);
    expect((await read(cache, (await cache.find(grant, "a"))!)).equals(content)).toBe(true);
  });
});
