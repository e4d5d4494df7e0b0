/**
 * 1. An upload whose connection broke is continued on another, even while the server still believes in the first.
 * 2. A damaged blob counts as missing, and no client gets its bytes whole.
 * 3. An upload of an existing blob is answered early when it is large, and the session continues.
 * 4. Reads that end early leave no file open, compressed or not.
 */
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { answerOf, openRawClient } from "#platform/grpc/raw-client.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ReadRequestSchema,
  WriteRequestSchema,
  WriteResponseSchema,
} from "../messages/gen/reapi/bytestream_pb.ts";
import { digestOf, openTestReapi } from "../testing/reapi.ts";

const WRITE = "/google.bytestream.ByteStream/Write";
const READ = "/google.bytestream.ByteStream/Read";

async function start() {
  const server = await openTestReapi("sqlite");
  onTestFinished(server.close);
  const connectRaw = () => {
    const client = openRawClient(server.port, {
      headers: { authorization: `Bearer ${server.tokens.write}` },
    });
    onTestFinished(client.close);
    return client;
  };
  const write = async (resourceName: string, bytes: Uint8Array) => {
    const stream = connectRaw().open(WRITE);
    const answer = answerOf(stream);
    stream.end(writing({ resourceName, data: bytes, finishWrite: true }));
    return answer;
  };
  return { ...server, connectRaw, write };
}

const writing = (message: MessageInitShape<typeof WriteRequestSchema>) =>
  frameMessage(toBinary(WriteRequestSchema, create(WriteRequestSchema, message)));
const reading = (message: MessageInitShape<typeof ReadRequestSchema>) =>
  frameMessage(toBinary(ReadRequestSchema, create(ReadRequestSchema, message)));

const uploadName = (bytes: Uint8Array, kind = "blobs") =>
  `uploads/1/${kind}/${digestOf(bytes).hash}/${bytes.length}`;

test.each(["is cut", "hangs"])("1. a connection that %s", async (how) => {
  const { connectRaw, clients, reapi } = await start();
  const { bytes: service } = clients();
  const bytes = randomBytes(300_000);
  const resourceName = uploadName(bytes);
  const committed = async () => Number((await service.queryWriteStatus({ resourceName })).committedSize);
  const first = connectRaw();
  const broken = first.open(WRITE);
  const end = answerOf(broken);
  broken.write(writing({ resourceName, data: bytes.subarray(0, 100_000) }));
  await vi.waitUntil(async () => (await committed()) === 100_000, { interval: 5 });
  if (how === "is cut") {
    first.session.destroy();
    await end;
  }
  const second = connectRaw().open(WRITE);
  const answer = answerOf(second);
  const rest = { resourceName, writeOffset: 100_000n, data: bytes.subarray(100_000), finishWrite: true };
  second.end(writing(rest));
  const { code, messages } = await answer;
  expect([code, fromBinary(WriteResponseSchema, messages[0]!).committedSize]).toEqual([0, 300_000n]);
  expect(reapi.unfinished.size).toBe(0);
  if (how === "is cut") return;
  broken.write(writing({ resourceName, writeOffset: 100_000n, data: bytes.subarray(100_000) }));
  expect((await end).code).toBe(Code.Aborted);
});

test("2. a damaged blob", async () => {
  const { connectRaw, write, folder } = await start();
  const bytes = randomBytes(700_000);
  expect((await write(uploadName(bytes), bytes)).code).toBe(0);
  const [file] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  writeFileSync(join(file!.parentPath, file!.name), Buffer.from(bytes).fill(bytes.at(-1)! ^ 255, 699_999));
  const read = () => {
    const stream = connectRaw().open(READ);
    stream.end(reading({ resourceName: `blobs/${digestOf(bytes).hash}/${bytes.length}` }));
    return answerOf(stream);
  };
  const damaged = await read();
  expect(damaged.code).toBe(Code.NotFound);
  expect(Buffer.concat(damaged.messages).length).toBeLessThan(700_000);
  expect(await read()).toMatchObject({ code: Code.NotFound, messages: [] });
});

test("3. what is there", async () => {
  const { connectRaw, clients, write } = await start();
  // Written in messages of at most 4 MB.
  const bytes = randomBytes(6_000_000);
  const client = connectRaw();
  const part = (at: number, end: number) =>
    writing({
      resourceName: uploadName(bytes),
      writeOffset: BigInt(at),
      data: bytes.subarray(at, end),
      finishWrite: end === bytes.length,
    });
  const first = client.open(WRITE);
  const written = answerOf(first);
  first.write(part(0, 3_000_000));
  first.end(part(3_000_000, 6_000_000));
  expect((await written).code).toBe(0);
  for (let at = 0; at < 30; at += 1) {
    const stream = client.open(WRITE);
    const answer = answerOf(stream);
    // Never ended, and never finished.
    stream.write(part(0, 100_000));
    const { code, messages, reset } = await answer;
    expect([code, reset]).toEqual([0, 0]);
    expect(fromBinary(WriteResponseSchema, messages[0]!).committedSize).toBe(6_000_000n);
  }
  // For a compressed blob, clients compare the size with the bytes that they have sent.
  const zstd = zstdCompressSync(bytes.subarray(0, 5000));
  for (let at = 0; at < 2; at += 1) {
    const answer = await write(uploadName(bytes.subarray(0, 5000), "compressed-blobs/zstd"), zstd);
    expect(fromBinary(WriteResponseSchema, answer.messages[0]!).committedSize).toBe(BigInt(zstd.length));
  }
  const { missingBlobDigests } = await clients().storage.findMissingBlobs({ blobDigests: [digestOf(bytes)] });
  expect(missingBlobDigests).toEqual([]);
});

test.runIf(process.platform === "linux")("4. reads that end early", async () => {
  const { connectRaw, write, folder } = await start();
  const plain = randomBytes(3_000_000);
  const zstd = zstdCompressSync(Buffer.concat([plain, plain.subarray(0, 5)]));
  const other = Buffer.concat([plain, plain.subarray(0, 5)]);
  await write(uploadName(plain), plain);
  await write(uploadName(other, "compressed-blobs/zstd"), zstd);
  const client = connectRaw();
  for (const bytes of [plain, other])
    for (const kind of ["blobs", "compressed-blobs/zstd"])
      for (const more of [{}, { readOffset: 10n }]) {
        const stream = client.open(READ);
        const resourceName = `${kind}/${digestOf(bytes).hash}/${bytes.length}`;
        stream.end(reading({ resourceName, ...more }));
        await once(stream, "data");
        stream.close(8);
      }
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  await vi.waitUntil(() => openFiles().length === 0, { interval: 5, timeout: 5000 });
});
