/**
 * 1. A miss is listed with the tool's description, once for a key, the latest first; another organization sees none.
 * 2. When the result is written, the miss shows the differences from the last result of the same work: arguments, variables
 *    without their secrets, the platform, inputs; for Maven, which file.
 * 3. For a removed key it shows when and why it was removed; for a result whose file is gone, that it is incomplete.
 * 4. An overlay's results are explained, and explain nothing.
 * 5. The last misses are kept, and no more than the limit.
 */
import { createHash } from "node:crypto";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Cache, Grant } from "../contract/cache.ts";
import { namespaceIdOf } from "../records/namespaces.ts";
import { ActionSchema, CommandSchema } from "../messages/gen/reapi/remote_execution_pb.ts";
import { organizationActor } from "../testing/actors.ts";
import { openTestCache, putEntry } from "../testing/cache.ts";
import { MAX_MISSES, TRIM_EVERY_MS } from "./limits.ts";

const ACME = organizationActor("acme");

const put = (cache: Cache, grant: Grant, [key, content]: readonly [string, string | Uint8Array]) =>
  putEntry(cache, grant, { key, content: Buffer.from(content) });

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Asks for the result of an action, and writes it with its action, as clients do. @returns its key */
async function build(
  cache: Cache,
  grant: Grant,
  [command, inputs = "a"]: readonly [command: MessageInitShape<typeof CommandSchema>, inputs?: string],
): Promise<string> {
  const commandBytes = toBinary(CommandSchema, create(CommandSchema, command));
  const commandDigest = { hash: hashOf(commandBytes), sizeBytes: BigInt(commandBytes.length) };
  const inputRootDigest = { hash: hashOf(Buffer.from(inputs)), sizeBytes: 1n };
  const action = toBinary(ActionSchema, create(ActionSchema, { commandDigest, inputRootDigest }));
  const key = `ac/${hashOf(action)}`;
  expect(await cache.find(grant, key)).toBeUndefined();
  cache.noteMiss(grant, key, { target: "//app:server", mnemonic: "CppCompile", invocation: "1" });
  await put(cache, grant, [key.replace("ac/", "cas/"), action]);
  await put(cache, grant, [`cas/${commandDigest.hash}`, commandBytes]);
  await put(cache, grant, [key, "result"]);
  return key;
}

const COMMAND = {
  arguments: ["gcc", "-O2", "-c", "a.c"],
  environmentVariables: [
    { name: "PATH", value: "/bin" },
    { name: "NPM_TOKEN", value: "npm_one" },
    { name: "URL", value: "https://me:pass@host" },
  ],
  outputPaths: ["a.o"],
  platform: { properties: [{ name: "OSFamily", value: "linux" }] },
};

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(options: { quotaBytes?: number; clock?: () => number } = {}) {
    const opened = await openTestCache(kind, options);
    onTestFinished(opened.close);
    // Without its row it counts as deleted.
    await opened.database.db
      .insertInto("organizations")
      .values({ id: "org_acme", name: "acme", is_first: null, created_at: 0 })
      .execute();
    const list = async (actor = ACME) => {
      await opened.cache.flushMisses();
      return (await opened.cache.listMisses(actor, { tool: "bazel", pageSize: 100 })).items;
    };
    return { ...opened, list, grant: await opened.cache.grant(ACME, "bazel", "write") };
  }

  test("1. listed once", async () => {
    const time = { now: Date.UTC(2026, 0, 1) };
    const { cache, grant, list } = await open({ clock: () => time.now });
    await cache.find(grant, "ac/1");
    cache.noteMiss(grant, "ac/1", { target: "//a\0\ud800", mnemonic: "x".repeat(9999), invocation: "" });
    await cache.find(grant, "cas/1");
    await list();
    time.now += 1000;
    await cache.find(grant, "ac/2");
    time.now += 1000;
    await cache.find(grant, "ac/1");
    const misses = await list();
    expect(misses.map(({ key, times, reason }) => [key, times, reason])).toEqual([
      ["ac/1", 2, "new"],
      ["ac/2", 1, "new"],
    ]);
    expect(await list(organizationActor("other"))).toEqual([]);
    const page = await cache.listMisses(ACME, { tool: "bazel", pageSize: 1 });
    const next = await cache.listMisses(ACME, { tool: "bazel", pageToken: page.nextPageToken });
    expect([...page.items, ...next.items]).toEqual(misses);
  });

  test("2. what differs", async () => {
    const { cache, grant, list } = await open();
    const first = await build(cache, grant, [COMMAND]);
    expect(await list()).toMatchObject([
      { key: first, reason: "new", target: "//app:server", nearestKey: "", differences: null },
    ]);
    const changed = {
      ...COMMAND,
      arguments: ["gcc", "-O3", "-c", "a.c"],
      environmentVariables: [
        { name: "LANG", value: "C" },
        { name: "NPM_TOKEN", value: "npm_two" },
        { name: "PATH", value: "/bin" },
        { name: "URL", value: "https://me:other@host" },
      ],
      platform: { properties: [{ name: "OSFamily", value: "windows" }] },
    };
    const second = await build(cache, grant, [changed]);
    const [miss] = (await list()).filter(({ key }) => key === second);
    expect(miss).toMatchObject({ reason: "changed", nearestKey: first });
    expect(miss?.writtenAt).not.toBeNull();
    expect(miss?.differences).toEqual([
      { kind: "argument", name: "", before: "-O2", after: "-O3" },
      { kind: "environment", name: "LANG", before: "", after: "C" },
      { kind: "environment", name: "NPM_TOKEN", before: "(hidden)", after: "(hidden)" },
      { kind: "environment", name: "URL", before: "(hidden)", after: "(hidden)" },
      { kind: "platform", name: "OSFamily", before: "linux", after: "windows" },
    ]);
    const third = await build(cache, grant, [changed, "b"]);
    const [inputs] = (await list()).filter(({ key }) => key === third);
    expect(inputs?.differences).toEqual([{ kind: "inputs", name: "", before: "", after: "" }]);
  });

  test("2. which file of Maven's", async () => {
    const { cache } = await open();
    const grant = await cache.grant(ACME, "maven", "write");
    const item = (type: string, hash: string, value: string) =>
      `<item type="${type}" hash="${hash}" charset="UTF-8">${value}</item>`;
    const info = (...items: string[]) =>
      `<build><projectsInputInfo>${items.join("\n")}</projectsInputInfo></build>`;
    const pom = item("pom", "1", `&lt;project/&gt;${"x".repeat(400)}`);
    for (const [checksum, xml] of [
      ["aa", info(pom, item("file", "1", "src/A.java"), item("file", "1", "src/B.java"))],
      ["bb", info(pom, item("file", "2", "src/A.java"), item("dependency", "1", "com.acme:prices:jar"))],
    ] as const) {
      const key = `maven/v1.1/com.acme/basket/${checksum}/buildinfo.xml`;
      await cache.find(grant, key);
      await put(cache, grant, [key, xml]);
      await put(cache, grant, [key.replace("buildinfo.xml", "basket.jar"), "jar"]);
      await cache.flushMisses();
    }
    const { items } = await cache.listMisses(ACME, { tool: "maven" });
    expect(items.find(({ key }) => key.includes("/bb/"))).toMatchObject({
      nearestKey: "maven/v1.1/com.acme/basket/aa/buildinfo.xml",
      differences: [
        { kind: "dependency", name: "com.acme:prices:jar", before: "", after: "there" },
        { kind: "file", name: "src/A.java", before: "there", after: "changed" },
        { kind: "file", name: "src/B.java", before: "there", after: "" },
      ],
    });
  });

  test("3. removed, and incomplete", async () => {
    const time = { now: Date.UTC(2026, 0, 1) };
    const { cache, grant, list } = await open({ quotaBytes: 1000, clock: () => time.now });
    for (const key of ["ac/old", "ac/new"]) {
      await put(cache, grant, [key, key.padEnd(600)]);
      time.now += 60_000;
    }
    await cache.sweep();
    await cache.find(grant, "ac/old");
    expect(await list()).toMatchObject([
      { key: "ac/old", reason: "removed", removedBecause: "quota", removedAt: time.now },
    ]);
    expect(await cache.find(grant, "ac/new")).toBeDefined();
    cache.countMiss(grant, "ac/new");
    expect((await list()).find(({ key }) => key === "ac/new")).toMatchObject({ reason: "incomplete" });
    time.now += 60_000;
    await cache.reset(ACME, "bazel");
    await cache.find(grant, "ac/new");
    expect((await list()).find(({ key }) => key === "ac/new")).toMatchObject({ removedBecause: "reset" });
  });

  test("4. overlays", async () => {
    const { cache, grant, list } = await open();
    const first = await build(cache, grant, [COMMAND]);
    await list();
    const [trusted = ""] = grant.reads;
    const overlay = "prj_1 refs/pull/7/merge";
    const writes = namespaceIdOf({ organizationId: "org_acme", tool: "bazel", overlay });
    const job: Grant = {
      ...grant,
      overlay,
      writes,
      reads: [writes, trusted],
    };
    const ofJob = await build(cache, job, [{ ...COMMAND, arguments: ["gcc", "-g"] }]);
    expect((await list()).find(({ key }) => key === ofJob)).toMatchObject({ nearestKey: first });
    const last = await build(cache, grant, [{ ...COMMAND, arguments: ["gcc", "-O1", "-c", "a.c"] }]);
    expect((await list()).find(({ key }) => key === last)).toMatchObject({ nearestKey: first });
  });

  test("5. the last ones", async () => {
    const time = { now: Date.UTC(2026, 0, 1) };
    const { cache, grant, database, list } = await open({ clock: () => time.now });
    for (let number = 0; number < MAX_MISSES + 50; number += 1) {
      time.now += 1;
      await cache.find(grant, `ac/${number}`);
    }
    time.now += TRIM_EVERY_MS;
    const [latest] = await list();
    expect(latest?.key).toBe(`ac/${MAX_MISSES + 49}`);
    const kept = await database.db.selectFrom("cache_misses").select("key").execute();
    expect(kept.map(({ key }) => Number(key.slice(3))).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: MAX_MISSES }, (_, index) => index + 50),
    );
  });
});
