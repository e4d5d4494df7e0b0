/**
 * 1. Compressed content with more bytes than its digest says is refused before more of it is decoded, in batches and in
 *    ByteStream, also when the blob is there already.
 * 2. Decoders of uploads together take no more memory than there is for them: an upload that finds none is told to try again,
 *    others continue, and decoders that have ended give back their memory.
 * 3. Uploads that wait to be continued give way to others.
 */
import { createHash, randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import { answerOf, openRawClient } from "#platform/grpc/raw-client.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { WriteRequestSchema, WriteResponseSchema } from "../messages/gen/reapi/bytestream_pb.ts";
import { Compressor_Value } from "../messages/gen/reapi/remote_execution_pb.ts";
import { DECODER_BYTES } from "./calls/limits.ts";
import { digestOf, openTestReapi } from "../testing/reapi.ts";

const MEBIBYTE = 1024 * 1024;

async function start(bytes = 3 * (DECODER_BYTES + MEBIBYTE)) {
  const room = () => createMessageRoom({ bytes, share: bytes, waitMs: 50 });
  const decoders = { batch: room(), stream: room() };
  const server = await openTestReapi("sqlite", { decoders });
  onTestFinished(server.close);
  const connect = () => {
    const headers = { authorization: `Bearer ${server.tokens.write}` };
    const client = openRawClient(server.port, { headers });
    onTestFinished(client.close);
    return client;
  };
  return { ...server, decoders, connect };
}

const WRITE = "/google.bytestream.ByteStream/Write";
const writing = (message: MessageInitShape<typeof WriteRequestSchema>) =>
  frameMessage(toBinary(WriteRequestSchema, create(WriteRequestSchema, message)));
const nameOf = ({ hash }: { hash: string }, size: number, upload = "1") =>
  `uploads/${upload}/compressed-blobs/zstd/${hash}/${size}`;

test("1. more than the digest says", async () => {
  const { clients, connect } = await start();
  const { storage } = clients();
  const content = Buffer.alloc(64 * MEBIBYTE);
  const bomb = zstdCompressSync(content);
  expect(bomb.length).toBeLessThan(50_000);
  // The hash of the decoded bytes, so that only its size is wrong.
  const digest = { hash: createHash("sha256").update(content).digest("hex"), sizeBytes: 10n };
  const { responses } = await storage.batchUpdateBlobs({
    requests: [{ digest, data: bomb, compressor: Compressor_Value.ZSTD }],
  });
  expect(responses[0]?.status).toMatchObject({
    code: Code.InvalidArgument,
    message: expect.stringContaining("more than the 10 bytes") as string,
  });
  const write = async (resourceName: string, data: Uint8Array) => {
    const stream = connect().open(WRITE);
    const answer = answerOf(stream);
    stream.end(writing({ resourceName, data, finishWrite: true }));
    return answer;
  };
  expect((await write(nameOf(digest, 10), bomb)).code).toBe(Code.InvalidArgument);
  const small = Buffer.from("small");
  const smallName = nameOf(digestOf(small), small.length);
  expect((await write(smallName, zstdCompressSync(small))).code).toBe(0);
  expect((await write(smallName, Buffer.alloc(100_000))).code).toBe(Code.InvalidArgument);
});

/** A part of an upload of 1 MB, which its decoder has to remember. */
function openUpload({ connect }: Awaited<ReturnType<typeof start>>, upload: string) {
  const content = randomBytes(MEBIBYTE);
  const data = zstdCompressSync(content);
  const client = connect();
  const stream = client.open(WRITE);
  const answer = answerOf(stream);
  const resourceName = nameOf(digestOf(content), content.length, upload);
  stream.write(writing({ resourceName, data: data.subarray(0, 60_000) }));
  return {
    client,
    answer,
    end() {
      const writeOffset = 60_000n;
      stream.end(writing({ resourceName, writeOffset, data: data.subarray(60_000), finishWrite: true }));
      return answer;
    },
  };
}

test("2. many decoders", async () => {
  const server = await start();
  const { decoders, clients } = server;
  const open = ["a", "b", "c"].map((name) => openUpload(server, name));
  const size = DECODER_BYTES + MEBIBYTE;
  await vi.waitUntil(() => decoders.stream.heldBytes === 3 * size, { interval: 5 });
  const late = await openUpload(server, "d").answer;
  expect(late.code).toBe(Code.ResourceExhausted);
  // Neither plain uploads nor batches wait for these.
  const [plain, packed] = [randomBytes(5000), Buffer.alloc(5000, "a")];
  const { responses } = await clients().storage.batchUpdateBlobs({
    requests: [
      { digest: digestOf(plain), data: plain },
      { digest: digestOf(packed), data: zstdCompressSync(packed), compressor: Compressor_Value.ZSTD },
    ],
  });
  expect(responses.map(({ status }) => status?.code)).toEqual([0, 0]);
  for (const upload of open) {
    const { code, messages } = await upload.end();
    expect(code).toBe(0);
    expect(fromBinary(WriteResponseSchema, messages[0]!).committedSize).toBeGreaterThan(0n);
  }
  expect(decoders.stream.heldBytes + decoders.batch.heldBytes).toBe(0);
});

test("3. uploads that wait", async () => {
  const server = await start();
  const { reapi, decoders } = server;
  const waiting = ["a", "b", "c"].map((name) => openUpload(server, name));
  await vi.waitUntil(() => decoders.stream.heldBytes === 3 * (DECODER_BYTES + MEBIBYTE), { interval: 5 });
  for (const { client } of waiting) client.session.destroy();
  await Promise.all(waiting.map(({ answer }) => answer));
  expect(reapi.unfinished.size).toBe(3);
  // No call ends them, and no time passes; the server only has to notice first that their clients have gone.
  await vi.waitUntil(async () => (await openUpload(server, "d").end()).code === 0, { timeout: 5000 });
  expect(reapi.unfinished.size).toBe(0);
  expect(decoders.stream.heldBytes).toBe(0);
});
