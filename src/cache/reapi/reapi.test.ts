/**
 * With Connect's client, made from the same contract:
 * 1. Capabilities: for any client of version 2.0, and who may write.
 * 2. Action results: stored, found while they are complete, inline on request; unknown fields come back.
 * 3. Blobs in batches: missing ones are reported, each has a status, zstd in and out.
 * 4. Trees in pages.
 * 5. ByteStream: whole blobs and parts, plain and zstd, in all four combinations of stored and requested form.
 * 6. Writes: existing blobs are skipped, broken uploads are continued, wrong ones leave nothing.
 * 7. Tokens, organizations and instance names; each refusal has its code and says what to do.
 * 8. Each call is counted once for its tool, with the bytes of entries.
 */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { GRPC_TOOLS } from "../contract/tools.ts";
import { EMPTY_HASH } from "../messages/digests.ts";
import {
  ActionResultSchema,
  Compressor_Value,
  DirectorySchema,
} from "../messages/gen/reapi/remote_execution_pb.ts";
import { MAX_BATCH_BYTES } from "./calls/limits.ts";
import { digestOf, openTestReapi, type TestClients } from "../testing/reapi.ts";

async function start(kind: (typeof testDatabaseKinds)[number]) {
  const server = await openTestReapi(kind);
  onTestFinished(server.close);
  return { ...server, mine: server.clients() };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => Code[0],
    (error: unknown) => {
      if (error instanceof ConnectError) return Code[error.code];
      throw error;
    },
  );
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof ConnectError ? error.rawMessage : String(error)),
  );

async function readAll(clients: TestClients, resourceName: string, from = {}): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const { data } of clients.bytes.read({ resourceName, ...from })) chunks.push(data);
  return Buffer.concat(chunks);
}

function writeAll(clients: TestClients, resourceName: string, bytes: Uint8Array, step = 60_000) {
  return clients.bytes.write(
    (async function* () {
      let at = 0;
      do {
        const data = bytes.subarray(at, at + step);
        yield { resourceName, writeOffset: BigInt(at), data, finishWrite: at + step >= bytes.length };
        at += step;
      } while (at < bytes.length);
    })(),
  );
}

async function drain(answers: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of answers);
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

const nameOf = (bytes: Uint8Array, kind = "blobs") => `${kind}/${digestOf(bytes).hash}/${bytes.length}`;

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. capabilities", async () => {
    const { clients, tokens } = await start(kind);
    const ask = (token: string) =>
      clients({ authorization: `Bearer ${token}` }).capabilities.getCapabilities({ instanceName: "pants" });
    const { lowApiVersion, highApiVersion, cacheCapabilities } = await ask(tokens.write);
    expect([lowApiVersion?.major, lowApiVersion?.minor, highApiVersion?.major]).toEqual([2, 0, 2]);
    expect(cacheCapabilities).toMatchObject({
      digestFunctions: [1],
      supportedCompressors: [Compressor_Value.ZSTD],
      maxBatchTotalSizeBytes: BigInt(MAX_BATCH_BYTES),
      actionCacheUpdateCapabilities: { updateEnabled: true },
    });
    for (const token of [tokens.readOnly, tokens.jobRead])
      expect(
        (await ask(token)).cacheCapabilities?.actionCacheUpdateCapabilities?.updateEnabled ?? false,
      ).toBe(false);
  });

  test("2. action results", async () => {
    const { mine, clients, tokens, cache } = await start(kind);
    const [actionDigest, out, log] = [
      Buffer.from("an action"),
      Buffer.from("output"),
      Buffer.from("a log"),
    ].map((bytes) => ({ bytes, ...digestOf(bytes) }));
    // Field 9 is not in our part of the contract.
    const metadata = { no: 9, wireType: 2, data: Buffer.from([3, 1, 2, 3]) };
    const actionResult = create(ActionResultSchema, {
      exitCode: 3,
      outputFiles: [{ path: "out/a", digest: out }],
      stdoutDigest: log,
    });
    actionResult.$unknown = [metadata];
    const get = (more = {}) => mine.actions.getActionResult({ actionDigest: actionDigest!, ...more });
    const notes = vi.fn();
    cache.noteMiss = notes;
    expect(await codeOf(get())).toBe("NotFound");
    await mine.actions.updateActionResult({ actionDigest: actionDigest!, actionResult });
    expect(await codeOf(get())).toBe("NotFound");
    const requests = [out!, log!].map((digest) => ({ digest, data: digest.bytes }));
    await mine.storage.batchUpdateBlobs({ requests });
    const found = await get();
    expect(found).toMatchObject({ exitCode: 3, stdoutRaw: new Uint8Array(0) });
    expect(found.$unknown).toMatchObject([{ no: 9, wireType: 2 }]);
    const inline = await get({ inlineStdout: true, inlineOutputFiles: ["out/a", "out/b"] });
    expect(Buffer.from(inline.stdoutRaw).toString()).toBe("a log");
    expect(Buffer.from(inline.outputFiles[0]!.contents).toString()).toBe("output");
    const others = clients({ authorization: `Bearer ${tokens.other}` });
    expect(await codeOf(others.actions.getActionResult({ actionDigest: actionDigest! }))).toBe("NotFound");
    expect(notes).not.toHaveBeenCalled();
    expect(await codeOf(get({ instanceName: "moonrepo" }))).toBe("NotFound");
    expect(await codeOf(mine.actions.updateActionResult({ actionDigest: actionDigest! }))).toBe(
      "InvalidArgument",
    );
  });

  test("2. why it missed", async () => {
    const { clients, tokens, cache } = await start(kind);
    const notes = vi.fn();
    cache.noteMiss = notes;
    // From Bazel 4.2.3, as recorded.
    const metadata =
      "CgcKBWJhemVsEkA4YTAzMzFlOGQxMjIzMTFjZDFiYmFkYjUzM2JlZGZlNWE3MDExM2M4YTNkNjRjMjNhOTcxMWM2ZGE3YmYzZWUyGiRhNzVjNzkwZS1jYzU3LTRkYzktYjIwYy1lOWU0NDZjOGVmZDQiJDNmOTU0NjM2LTYxMjItNDlhMC1iYWQ4LTMxMWUyMjE0MGJjZCoHR2VucnVsZTIILy86c21hbGw";
    const header = "build.bazel.remote.execution.v2.requestmetadata-bin";
    const actionDigest = digestOf(Buffer.from("x"));
    for (const value of [metadata, "!!!", "////"])
      expect(
        await codeOf(
          clients({ authorization: `Bearer ${tokens.write}`, [header]: value }).actions.getActionResult({
            actionDigest,
          }),
        ),
      ).toBe("NotFound");
    expect(notes.mock.calls.map(([, key, reason]) => [key, reason])).toEqual([
      [
        `ac/${actionDigest.hash}`,
        {
          target: "//:small",
          mnemonic: "Genrule",
          invocation: "a75c790e-cc57-4dc9-b20c-e9e446c8efd4",
        },
      ],
    ]);
  });

  test("3. batches", async () => {
    const { mine, folder } = await start(kind);
    const small = Buffer.from("small");
    const large = Buffer.alloc(200_000, "large ");
    const empty = { hash: EMPTY_HASH, sizeBytes: 0n };
    const digests = [digestOf(small), digestOf(large), empty];
    const missing = async () =>
      (await mine.storage.findMissingBlobs({ blobDigests: digests })).missingBlobDigests.map(
        ({ hash }) => hash,
      );
    expect(await missing()).toEqual([digestOf(small).hash, digestOf(large).hash]);
    const twoFrames = Buffer.concat([
      zstdCompressSync(large.subarray(0, 70_000)),
      zstdCompressSync(large.subarray(70_000)),
    ]);
    const { responses } = await mine.storage.batchUpdateBlobs({
      requests: [
        { digest: digestOf(small), data: small },
        { digest: digestOf(large), data: twoFrames, compressor: Compressor_Value.ZSTD },
        { digest: digestOf(Buffer.from("other")), data: small },
        { digest: { ...digestOf(Buffer.from("zz")), sizeBytes: 3n }, data: Buffer.from("zz") },
        { digest: digestOf(Buffer.from("b")), data: Buffer.from("b"), compressor: Compressor_Value.BROTLI },
        { digest: empty, data: Buffer.alloc(0) },
        {
          digest: digestOf(Buffer.from("no zstd")),
          data: Buffer.from("no zstd"),
          compressor: Compressor_Value.ZSTD,
        },
      ],
    });
    expect(responses.map(({ status }) => status?.code)).toEqual([0, 0, 3, 3, 3, 0, 3]);
    expect(await missing()).toEqual([]);
    expect(filesIn(folder)).toHaveLength(0 + 1 * Number(twoFrames.length > 4096));
    for (const acceptableCompressors of [[], [Compressor_Value.IDENTITY, Compressor_Value.ZSTD]]) {
      const read = await mine.storage.batchReadBlobs({
        digests: [...digests, digestOf(Buffer.from("never"))],
        acceptableCompressors,
      });
      expect(read.responses.map(({ status }) => status?.code)).toEqual([0, 0, 0, Code.NotFound]);
      const decoded = read.responses.map(({ data, compressor }) =>
        compressor === Compressor_Value.ZSTD ? decodeFrames(Buffer.from(data), large) : Buffer.from(data),
      );
      expect(decoded[0]?.equals(small) && decoded[1]?.equals(large)).toBe(true);
      expect(read.responses[1]?.compressor).toBe(acceptableCompressors.length > 0 ? 1 : 0);
    }
    const many = Array.from({ length: 70_000 }, () => ({ hash: "a".repeat(30), sizeBytes: 0n }));
    expect(await messageOf(mine.storage.findMissingBlobs({ blobDigests: many }))).toContain("at most 65536");
    const tooLarge = [{ hash: digestOf(large).hash, sizeBytes: BigInt(MAX_BATCH_BYTES + 1) }];
    expect(await codeOf(mine.storage.batchReadBlobs({ digests: tooLarge }))).toBe("InvalidArgument");
    for (const hash of ["", "../../etc/passwd", "A".repeat(64), `${EMPTY_HASH}0`])
      expect(await codeOf(mine.storage.findMissingBlobs({ blobDigests: [{ hash, sizeBytes: 1n }] }))).toBe(
        "InvalidArgument",
      );
  });

  test("4. trees", async () => {
    const { mine } = await start(kind);
    const directory = (...digests: ReturnType<typeof digestOf>[]) =>
      toBinary(
        DirectorySchema,
        create(DirectorySchema, { directories: digests.map((digest, at) => ({ name: `${at}`, digest })) }),
      );
    const leaves = Array.from({ length: 5 }, (_, at) =>
      toBinary(DirectorySchema, create(DirectorySchema, { files: [{ name: `file ${at}` }] })),
    );
    const root = directory(...leaves.map(digestOf), digestOf(Buffer.from("missing")));
    await mine.storage.batchUpdateBlobs({
      requests: [root, ...leaves].map((data) => ({ digest: digestOf(data), data })),
    });
    const pages = async (request: { pageSize?: number; pageToken?: string }) => {
      const seen: [number, string][] = [];
      for await (const page of mine.storage.getTree({ rootDigest: digestOf(root), ...request }))
        seen.push([page.directories.length, page.nextPageToken]);
      return seen;
    };
    expect(await pages({})).toEqual([[6, ""]]);
    expect(await pages({ pageSize: 4 })).toEqual([
      [4, "4"],
      [2, ""],
    ]);
    expect(await pages({ pageSize: 4, pageToken: "4" })).toEqual([[2, ""]]);
    expect(await codeOf(pages({ pageToken: "-1" }))).toBe("InvalidArgument");
    const absent = mine.storage.getTree({ rootDigest: digestOf(Buffer.from("missing")) });
    expect(await codeOf(drain(absent))).toBe("NotFound");
  });

  test("5. read", async () => {
    const { mine } = await start(kind);
    for (const size of [11, 5000, 300_000]) {
      const [plain, zstd] = [withoutMagic(size), Buffer.alloc(size, withoutMagic(100))];
      const frames = Buffer.concat([
        zstdCompressSync(zstd.subarray(0, size >> 1)),
        zstdCompressSync(zstd.subarray(size >> 1)),
      ]);
      const written = await writeAll(mine, `uploads/1/${nameOf(plain)}`, plain);
      expect(written.committedSize).toBe(BigInt(size));
      const upload = `bazel/uploads/2/compressed-blobs/zstd/sha256/${digestOf(zstd).hash}/${size}/more/words`;
      expect((await writeAll(mine, upload, frames, 7)).committedSize).toBe(BigInt(frames.length));
      for (const bytes of [plain, zstd]) {
        expect((await readAll(mine, nameOf(bytes))).equals(bytes)).toBe(true);
        expect(
          (await readAll(mine, `/${nameOf(bytes)}`, { readOffset: 3n, readLimit: 5n })).equals(
            bytes.subarray(3, 8),
          ),
        ).toBe(true);
        expect((await readAll(mine, nameOf(bytes), { readOffset: BigInt(size) })).length).toBe(0);
        const name = nameOf(bytes, "compressed-blobs/zstd");
        expect(decodeFrames(await readAll(mine, name), bytes).equals(bytes)).toBe(true);
        const rest = await readAll(mine, name, { readOffset: 4n });
        expect(decodeFrames(rest, bytes).equals(bytes.subarray(4))).toBe(true);
        expect(await codeOf(readAll(mine, nameOf(bytes), { readOffset: BigInt(size + 1) }))).toBe(
          "OutOfRange",
        );
        expect(await codeOf(readAll(mine, name, { readLimit: 1n }))).toBe("InvalidArgument");
      }
      expect(await codeOf(readAll(mine, `blobs/${digestOf(plain).hash}/${size + 1}`))).toBe("NotFound");
    }
    expect((await readAll(mine, `blobs/${EMPTY_HASH}/0`)).length).toBe(0);
    expect(zstdDecompressSync(await readAll(mine, `compressed-blobs/zstd/${EMPTY_HASH}/0`)).length).toBe(0);
    for (const name of [
      "",
      "blobs/abc/1",
      "compressed-blobs/gzip/x/1",
      `blobs/${EMPTY_HASH}/0/more`,
      "x".repeat(5000),
    ])
      expect(await codeOf(readAll(mine, name))).toBe("InvalidArgument");
  });

  test("6. write", async () => {
    const { mine, clients, tokens, folder, reapi, time } = await start(kind);
    const bytes = randomBytes(200_000);
    const name = `uploads/a/${nameOf(bytes)}`;
    const part = (from: number, to: number, finishWrite = false) =>
      mine.bytes.write(
        (async function* () {
          yield {
            resourceName: name,
            writeOffset: BigInt(from),
            data: bytes.subarray(from, to),
            finishWrite,
          };
        })(),
      );
    const status = () => mine.bytes.queryWriteStatus({ resourceName: name });
    expect(await status()).toMatchObject({ committedSize: 0n, complete: false });
    expect((await part(0, 70_000)).committedSize).toBe(70_000n);
    expect(await status()).toMatchObject({ committedSize: 70_000n, complete: false });
    expect(await messageOf(part(80_000, 90_000))).toContain("received 70000 bytes");
    expect((await part(70_000, 150_000)).committedSize).toBe(150_000n);
    expect((await part(150_000, 200_000, true)).committedSize).toBe(200_000n);
    expect(await status()).toMatchObject({ committedSize: 200_000n, complete: true });
    expect((await part(0, 200_000, true)).committedSize).toBe(200_000n);
    expect((await readAll(mine, nameOf(bytes))).equals(bytes)).toBe(true);
    expect([filesIn(folder).length, reapi.unfinished.size]).toEqual([1, 0]);

    const wrong = randomBytes(50_000);
    const upload = (sent: Uint8Array, size = sent.length) =>
      writeAll(mine, `uploads/b/blobs/${digestOf(wrong).hash}/${size}`, sent);
    expect(await codeOf(upload(randomBytes(50_000)))).toBe("InvalidArgument");
    expect(await codeOf(upload(Buffer.concat([wrong, wrong]), 50_000))).toBe("InvalidArgument");
    expect(await codeOf(upload(wrong.subarray(1), 50_000))).toBe("InvalidArgument");
    expect(await codeOf(upload(wrong, 3e9))).toBe("ResourceExhausted");
    expect(await codeOf(writeAll(mine, nameOf(wrong), wrong))).toBe("InvalidArgument");
    const reader = clients({ authorization: `Bearer ${tokens.readOnly}` });
    expect(await codeOf(writeAll(reader, `uploads/b/${nameOf(wrong)}`, wrong))).toBe("PermissionDenied");
    expect([filesIn(folder).length, reapi.unfinished.size]).toEqual([1, 0]);

    // From the client that never comes back.
    const left = randomBytes(20_000);
    await mine.bytes.write(
      (async function* () {
        yield { resourceName: `uploads/c/${nameOf(left)}`, data: left.subarray(0, 10_000) };
      })(),
    );
    expect([filesIn(folder).length, reapi.unfinished.size]).toEqual([2, 1]);
    time.now += 11 * 60 * 1000;
    await reapi.unfinished.sweep();
    expect([filesIn(folder).length, reapi.unfinished.size]).toEqual([1, 0]);
  });

  test("6. many that are not continued", async () => {
    const { mine, folder, reapi } = await start(kind);
    for (let at = 0; at < 40; at += 1)
      await mine.bytes.write(
        (async function* () {
          yield { resourceName: `uploads/${at}/${nameOf(Buffer.alloc(10_000))}`, data: Buffer.alloc(9_000) };
        })(),
      );
    expect([filesIn(folder).length, reapi.unfinished.size]).toEqual([32, 32]);
  });

  test("7. who may", async () => {
    const { clients, tokens } = await start(kind);
    const find = (headers: Record<string, string>, more = {}) =>
      clients(headers).storage.findMissingBlobs({ blobDigests: [], ...more });
    const basic = (token: string) => `Basic ${Buffer.from(`x-token:${token}`).toString("base64")}`;
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const ask = async (headers: Record<string, string>, more = {}) => codeOf(find(headers, more));
    expect(await ask({ authorization: basic(tokens.write) })).toBe(undefined);
    expect(await ask({ ...bearer(tokens.write), "millrace-org": "acme" })).toBe(undefined);
    for (const instanceName of ["", ...GRPC_TOOLS])
      expect(await ask(bearer(tokens.readOnly), { instanceName })).toBe(undefined);
    expect(await ask({})).toBe("Unauthenticated");
    expect(await ask(bearer("mr_org_wrong"))).toBe("Unauthenticated");
    expect(await ask({ authorization: basic("mr_org_wrong") })).toBe("Unauthenticated");
    for (const token of [tokens.project, tokens.projectReader])
      expect(await ask(bearer(token))).toBe("PermissionDenied");
    expect(await ask({ ...bearer(tokens.write), "millrace-org": "other" })).toBe("PermissionDenied");
    expect(await messageOf(find(bearer(tokens.write), { instanceName: "gradle" }))).toContain(
      // As the page about the cache lists them.
      GRPC_TOOLS.join(", ").replace(/, (\w+)$/, " or $1"),
    );
    expect(await ask(bearer(tokens.write), { digestFunction: 9 })).toBe("InvalidArgument");
    const result = { actionDigest: digestOf(Buffer.from("a")), actionResult: {} };
    for (const token of [tokens.readOnly, tokens.jobRead, tokens.project, tokens.projectReader])
      expect(await codeOf(clients(bearer(token)).actions.updateActionResult(result))).toBe(
        "PermissionDenied",
      );
  });

  test("8. traffic", async () => {
    const { mine, clients, tokens, traffic } = await start(kind);
    const data = randomBytes(100_000);
    const digest = digestOf(data);
    const unknown = digestOf(randomBytes(8));
    const { storage, actions } = mine;
    await codeOf(actions.getActionResult({ actionDigest: unknown }));
    await storage.findMissingBlobs({ blobDigests: [digest] });
    await storage.batchUpdateBlobs({ requests: [{ digest, data }] });
    await storage.batchUpdateBlobs({ requests: [{ digest: unknown, data }] });
    await storage.batchReadBlobs({ digests: [digest] });
    await storage.batchReadBlobs({ digests: [digest, unknown] });
    const resourceName = `pants/blobs/${digest.hash}/100000`;
    await codeOf(readAll(mine, resourceName));
    await readAll(mine, resourceName.replace("pants/", ""));
    const reader = clients({ authorization: `Bearer ${tokens.readOnly}` });
    await codeOf(reader.actions.updateActionResult({ actionDigest: unknown, actionResult: {} }));
    await codeOf(clients({}).actions.getActionResult({ actionDigest: unknown }));
    expect(
      Object.fromEntries([...traffic.requests()].map(([names, count]) => [names.join(" "), count])),
    ).toEqual({
      "bazel hit": 2,
      "bazel miss": 2,
      "bazel stored": 1,
      "bazel refused": 2,
      "bazel other": 1,
      "pants miss": 1,
    });
    expect(
      Object.fromEntries([...traffic.bytes()].map(([names, count]) => [names.join(" "), count])),
    ).toEqual({
      "bazel in": 200_000,
      "bazel out": 300_000,
      "pants in": 0,
      "pants out": 0,
    });
  });

  test("7. many wrong tokens", async () => {
    const { clients } = await start(kind);
    const job = clients();
    await job.storage.findMissingBlobs({ blobDigests: [] });
    const wrong = clients({ authorization: "Bearer mr_org_wrong" });
    const codes = new Set<string | undefined>();
    for (let at = 0; at < 350; at += 1)
      codes.add(await codeOf(wrong.storage.findMissingBlobs({ blobDigests: [] })));
    expect([...codes]).toEqual(["Unauthenticated", "ResourceExhausted"]);
    // A job at the same address, whose token was good before.
    expect(await codeOf(job.storage.findMissingBlobs({ blobDigests: [] }))).toBe(undefined);
  });
});

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Random bytes that nowhere look like the start of a frame. */
const withoutMagic = (size: number) =>
  Buffer.from(randomBytes(size).map((byte) => (byte === MAGIC.at(-1) ? 0 : byte)));

/** Also for several frames: Node's own function reads only the first. */
function decodeFrames(bytes: Buffer, { length }: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = rest.indexOf(MAGIC, 1);
    const frame = next === -1 ? rest : rest.subarray(0, next);
    parts.push(zstdDecompressSync(frame, { maxOutputLength: length + 1 }));
    rest = next === -1 ? Buffer.alloc(0) : rest.subarray(next);
  }
  return Buffer.concat(parts);
}
