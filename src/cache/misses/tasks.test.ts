/**
 * Work whose inputs no client sends:
 * 1. An entry of Turborepo or Gradle names its task, and is compared with the facts of the build before it, of the same project
 *    rather than of another with a task of that name.
 * 2. An entry that is cut off, invalid, or too large to look through, explains nothing and harms nothing.
 * 3. For a job's work without a name: which other commit of its ref, or else of its project, has stored results, and when;
 *    results in an overlay do not count.
 * 4. A tar is read in any pieces.
 */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Actor } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestCache } from "../testing/cache.ts";
import type { Tool } from "../contract/tools.ts";
import { MAX_TASK_BYTES } from "./limits.ts";
import { readTar } from "./read-tar.ts";

type Files = Readonly<Record<string, string | Buffer>>;

function tarOf(files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write(name.includes("PaxHeaders") ? "x" : "0", 156);
    return [
      header,
      Buffer.concat([Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const turbo = (files: Files) => zstdCompressSync(tarOf(files));
const gradle = (metadata: string) =>
  gzipSync(
    tarOf({ "PaxHeaders.X/METADATA": "28 mtime=1795406485.5\n", METADATA: metadata, "tree-classes/": "" }),
  );

function job({ project = "prj_1", sha, ref = "refs/heads/main", cache = "write" }: JobOptions): Actor {
  const subject = `repo:acme/shop:ref:${ref}`;
  return {
    kind: "job",
    tokenId: `tok_${project}${sha}`,
    name: subject,
    organizationId: "org_acme",
    organization: "acme",
    projectId: project,
    cache,
    expiresAt: null,
    claims: { subject, sha, ref, runUrl: null },
  };
}
interface JobOptions {
  project?: string;
  sha: string;
  ref?: string;
  cache?: "read" | "overlay" | "write";
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open() {
    const time = { now: Date.UTC(2026, 0, 1) };
    const { cache, close } = await openTestCache(kind, { clock: () => time.now });
    onTestFinished(close);
    const build = async (actor: Actor, key: string, { content = "", meta = "" }: Stored) => {
      const tool = key.replace(/\/.*/, "") as Tool;
      const grant = await cache.grant(actor, tool, "read");
      await cache.find(grant, key);
      if (grant.writes !== null) {
        const upload = cache.receive(grant);
        await upload.write(Buffer.from(content));
        await cache.put(grant, key, await upload.finish(), meta);
      }
      await cache.flushMisses();
      time.now += 60_000;
      const { items } = await cache.listMisses(actor, { tool });
      return items.find((miss) => miss.key === key);
    };
    return { build, cache, time };
  }
  interface Stored {
    content?: string | Buffer;
    meta?: string;
  }

  test("1. Turborepo", async () => {
    const { build, cache } = await open();
    const stored = (sha: string, data: string) => ({
      content: turbo({
        "packages/ui/.next/": "",
        "packages/ui/.next/data": data,
        "packages/ui/.turbo/turbo-build$colon$web.log": "built",
      }),
      meta: JSON.stringify({ "x-artifact-sha": sha, "x-artifact-duration": "7" }),
    });
    const [one, other] = ["1".repeat(40), "2".repeat(40)];
    expect(await build(job({ sha: one }), "turbo/1", stored(one, "1"))).toMatchObject({
      reason: "new",
      target: "packages/ui",
      mnemonic: "build:web",
    });
    await build(job({ sha: one, project: "prj_2" }), "turbo/2", stored(one, "2"));
    const pullRequest = job({ sha: other, ref: "refs/pull/7/merge" });
    expect(await build(pullRequest, "turbo/3", stored(other, "3"))).toMatchObject({
      reason: "changed",
      nearestKey: "turbo/1",
      differences: [
        { kind: "commit", name: "", before: "111111111111", after: "222222222222" },
        { kind: "ref", name: "", before: "refs/heads/main", after: "refs/pull/7/merge" },
      ],
    });
    const root = turbo({ ".turbo/turbo-lint.log": "" });
    expect(await build(job({ sha: one }), "turbo/4", { content: root })).toMatchObject({ target: "//" });
    // Missed again, it still has its name.
    cache.countMiss(await cache.grant(job({ sha: one }), "turbo", "read"), "turbo/4");
    await cache.flushMisses();
    const [again] = (await cache.listMisses(job({ sha: one }), { tool: "turbo" })).items;
    expect(again).toMatchObject({ key: "turbo/4", times: 2, target: "//", mnemonic: "lint" });
  });

  test("1. Gradle", async () => {
    const { build } = await open();
    const metadata = (version: string) =>
      `#Generated origin information\nidentity=\\:app\\:compileJava\ntype=org.gradle.JavaCompile_Decorated\ngradleVersion=${version}\n`;
    const sha = "1".repeat(40);
    await build(job({ sha }), "gradle/1", { content: gradle(metadata("8.1")) });
    expect(await build(job({ sha }), "gradle/2", { content: gradle(metadata("8.2")) })).toMatchObject({
      reason: "changed",
      target: ":app:compileJava",
      mnemonic: "JavaCompile",
      nearestKey: "gradle/1",
      differences: [{ kind: "Gradle", name: "", before: "8.1", after: "8.2" }],
    });
  });

  test("2. what tells nothing", async () => {
    const { build } = await open();
    const log = { "packages/ui/.turbo/turbo-build.log": "" };
    const contents = {
      "turbo/none": "not zstd",
      "turbo/cut": turbo({ large: Buffer.alloc(2000, 7), ...log }).subarray(0, 20),
      "turbo/late": turbo({ large: Buffer.alloc(MAX_TASK_BYTES + 200_000), ...log }),
      "turbo/empty": "",
      "gradle/none": "not gzip",
      "gradle/other": gzipSync(tarOf({ "tree-classes/": "" })),
      "gradle/silent": gradle("#nothing\n"),
    };
    for (const [key, content] of Object.entries(contents))
      expect([key, await build(job({ sha: "1" }), key, { content })]).toMatchObject([
        key,
        { target: "", mnemonic: "", reason: "new" },
      ]);
  });

  test("3. commits", async () => {
    const { build, time } = await open();
    const main = (sha: string) => job({ sha });
    const pull = (sha: string) => job({ sha, ref: "refs/pull/7/merge", cache: "overlay" });
    expect(await build(main("a1"), "sccache/1", {})).toMatchObject({ reason: "new", nearestAt: null });
    const storedAt = time.now;
    await build(main("a1"), "sccache/2", {});
    // Its own commit explains nothing.
    expect(await build(main("a1"), "sccache/3", {})).toMatchObject({ nearestAt: null, differences: null });
    await build(job({ sha: "b1", project: "prj_2" }), "sccache/4", {});
    expect(await build(pull("c1"), "sccache/5", {})).toMatchObject({
      reason: "new",
      nearestKey: "",
      nearestAt: storedAt + 60_000,
      differences: [
        { kind: "commit", name: "", before: "a1", after: "c1" },
        { kind: "ref", name: "", before: "refs/heads/main", after: "refs/pull/7/merge" },
      ],
    });
    expect((await build(pull("c2"), "sccache/6", {}))?.differences?.[0]).toMatchObject({ before: "a1" });
    await build(job({ sha: "d1", ref: "refs/heads/next" }), "sccache/7", {});
    expect((await build(main("a2"), "sccache/8", {}))?.differences).toEqual([
      { kind: "commit", name: "", before: "a1", after: "a2" },
    ]);
  });
});

test("4. pieces", async () => {
  const tar = tarOf({
    one: "x".repeat(700),
    "PaxHeaders/two": "26 mtime=1.5",
    two: "",
    three: "y".repeat(512),
    four: "z",
  });
  for (const size of [1, 7, 512, 513, 5000]) {
    const pieces = async function* () {
      for (let at = 0; at < tar.length; at += size) yield tar.subarray(at, at + size);
    };
    const files: string[] = [];
    for await (const { name, start } of readTar(pieces(), { maxBytes: 1e9, startBytes: 3 }))
      files.push(`${name} ${start.toString()}`);
    expect(files).toEqual(["one xxx", "two ", "three yyy", "four z"]);
  }
});
