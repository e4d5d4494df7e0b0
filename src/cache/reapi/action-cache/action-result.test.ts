/**
 * 1. A result is a hit only while every blob that it names is there: files, stdout, trees and what is in them.
 * 2. Bytes that no client of the protocol writes are neither a hit nor an error.
 * 3. The empty blob need not be put.
 */
import { createHash } from "node:crypto";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { Actor } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestCache, putEntry } from "../../testing/cache.ts";
import { completeActionResult } from "./action-result.ts";
import { EMPTY_HASH } from "../../messages/digests.ts";
import {
  ActionResultSchema,
  DirectorySchema,
  TreeSchema,
} from "../../messages/gen/reapi/remote_execution_pb.ts";

const actor: Actor = {
  kind: "organization",
  tokenId: "tok_1",
  name: "ci",
  organizationId: "org_1",
  organization: "acme",
  expiresAt: null,
  readOnly: false,
};

const digestOf = (bytes: Uint8Array) => ({
  hash: createHash("sha256").update(bytes).digest("hex"),
  sizeBytes: BigInt(bytes.length),
});

async function start(kind: (typeof testDatabaseKinds)[number]) {
  const { cache, close } = await openTestCache(kind);
  onTestFinished(close);
  const grant = await cache.grant(actor, "bazel", "write");
  const put = async (bytes: Uint8Array) => {
    const digest = digestOf(bytes);
    await putEntry(cache, grant, { key: `cas/${digest.hash}`, content: bytes });
    return digest;
  };
  const complete = async (result: MessageInitShape<typeof ActionResultSchema>) =>
    (await completeActionResult(
      cache,
      grant,
      toBinary(ActionResultSchema, create(ActionResultSchema, result)),
    )) !== null;
  return { cache, grant, put, complete };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. every blob", async () => {
    const { put, complete } = await start(kind);
    const [one, two, three] = [Buffer.from("one"), Buffer.from("two"), Buffer.from("three")];
    const files = [
      { path: "a", digest: digestOf(one) },
      { path: "b", digest: digestOf(two) },
    ];
    expect(await complete({ outputFiles: files })).toBe(false);
    await put(one);
    expect(await complete({ outputFiles: files })).toBe(false);
    await put(two);
    expect(await complete({ outputFiles: files })).toBe(true);
    expect(await complete({ outputFiles: files, stdoutDigest: digestOf(three) })).toBe(false);
    expect(await complete({ outputFiles: files, stderrDigest: digestOf(three) })).toBe(false);
    const wrongSize = { ...digestOf(one), sizeBytes: 4n };
    expect(await complete({ outputFiles: [{ path: "a", digest: wrongSize }] })).toBe(false);

    const tree = toBinary(
      TreeSchema,
      create(TreeSchema, {
        root: { files: [{ name: "a", digest: digestOf(one) }] },
        children: [{ files: [{ name: "c", digest: digestOf(three) }] }],
      }),
    );
    const outputDirectories = [{ path: "d", treeDigest: digestOf(tree) }];
    expect(await complete({ outputDirectories })).toBe(false);
    await put(tree);
    expect(await complete({ outputDirectories })).toBe(false);
    await put(three);
    expect(await complete({ outputDirectories })).toBe(true);

    const four = Buffer.from("four");
    const child = toBinary(
      DirectorySchema,
      create(DirectorySchema, { files: [{ name: "f", digest: digestOf(four) }] }),
    );
    const root = toBinary(
      DirectorySchema,
      create(DirectorySchema, { directories: [{ name: "c", digest: digestOf(child) }] }),
    );
    await put(root);
    const byRoot = { outputDirectories: [{ path: "d", rootDirectoryDigest: digestOf(root) }] };
    expect(await complete(byRoot)).toBe(false);
    await put(child);
    expect(await complete(byRoot)).toBe(false);
    await put(four);
    expect(await complete(byRoot)).toBe(true);
  });

  test("2. what is not a result", async () => {
    const { cache, grant, put, complete } = await start(kind);
    expect(await completeActionResult(cache, grant, Buffer.from("not a message"))).toBe(null);
    expect(await complete({ outputFiles: [{ path: "a" }] })).toBe(false);
    expect(await complete({ outputFiles: [{ path: "a", digest: { hash: "../a", sizeBytes: 1n } }] })).toBe(
      false,
    );
    expect(await complete({ outputDirectories: [{ path: "a" }] })).toBe(false);
    const noTree = await put(Buffer.from([0xff, 0xff]));
    expect(await complete({ outputDirectories: [{ path: "a", treeDigest: noTree }] })).toBe(false);
    const ofItself = create(TreeSchema, { root: { files: [{ name: "a" }] } });
    const noFile = await put(toBinary(TreeSchema, ofItself));
    expect(await complete({ outputDirectories: [{ path: "a", treeDigest: noFile }] })).toBe(false);
  });

  test("3. no bytes", async () => {
    const { complete } = await start(kind);
    const digest = { hash: EMPTY_HASH, sizeBytes: 0n };
    expect(await complete({})).toBe(true);
    expect(
      await complete({
        outputFiles: [{ path: "a", digest }],
        stdoutDigest: digest,
        outputDirectories: [{ path: "b", treeDigest: digest }],
      }),
    ).toBe(true);
  });
});
