/**
 * Batches of many blobs:
 * 1. Contents that were put are free while the rest is received.
 * 2. When the database fails, or the client has gone, no more is received.
 * 3. Existing blobs take no turns.
 * 4. Long lists are answered whole, in order.
 * 5. Read blobs keep no more memory than they have bytes.
 */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { expect, onTestFinished, test, vi } from "vitest";
import { answerOf, openRawClient } from "#platform/grpc/raw-client.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { collectGarbage } from "#platform/testing/garbage.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import { BatchUpdateBlobsRequestSchema, DigestSchema } from "../../messages/gen/reapi/remote_execution_pb.ts";
import { DIGESTS_PER_TURN, RECEIVED_AT_ONCE } from "../calls/limits.ts";
import { readBatch } from "./read-batch.ts";
import { digestOf, openTestReapi } from "../../testing/reapi.ts";

const COUNT = 8 * RECEIVED_AT_ONCE;

const batch = (count = COUNT, size = 1_000) =>
  Array.from({ length: count }, () => randomBytes(size)).map((data) => ({ digest: digestOf(data), data }));

async function start() {
  const reapi = await openTestReapi("sqlite");
  onTestFinished(reapi.close);
  return reapi;
}

test("1. contents", async () => {
  const { cache, clients } = await start();
  const contents: WeakRef<Uint8Array>[] = [];
  let most = 0;
  const { put } = cache;
  // A spy would keep the contents.
  cache.put = async (grant, key, received) => {
    contents.push(new WeakRef(received.content!));
    if (contents.length === COUNT) {
      await collectGarbage();
      most = contents.filter((content) => content.deref()).length;
    }
    return put(grant, key, received);
  };
  await clients().storage.batchUpdateBlobs({ requests: batch() });
  expect(contents.length).toBe(COUNT);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 * RECEIVED_AT_ONCE);
});

test("2. a database that fails", async () => {
  const { cache, clients } = await start();
  const receive = vi.spyOn(cache, "receive");
  const put = vi.spyOn(cache, "put");
  put.mockRejectedValueOnce(new Error("the connection was lost"));
  const requests = batch();
  await expect(clients().storage.batchUpdateBlobs({ requests })).rejects.toMatchObject({
    code: Code.Internal,
  });
  expect([receive.mock.calls.length, put.mock.calls.length]).toEqual([RECEIVED_AT_ONCE, RECEIVED_AT_ONCE]);
});

test("2. a client that goes", async () => {
  const { cache, port, tokens, answers } = await start();
  const client = openRawClient(port, { headers: { authorization: `Bearer ${tokens.write}` } });
  onTestFinished(client.close);
  const stream = client.open("/build.bazel.remote.execution.v2.ContentAddressableStorage/BatchUpdateBlobs");
  const receive = vi.spyOn(cache, "receive");
  const { put } = cache;
  let puts = 0;
  cache.put = async (...entry) => {
    puts += 1;
    if (puts === 1) {
      stream.close(8);
      await vi.waitUntil(() => answers.length > 0, { interval: 1 });
    }
    await put(...entry);
  };
  const ended = answerOf(stream);
  const schema = BatchUpdateBlobsRequestSchema;
  stream.end(frameMessage(toBinary(schema, create(schema, { instanceName: "bazel", requests: batch() }))));
  await ended;
  await vi.waitUntil(() => puts === RECEIVED_AT_ONCE, { interval: 1, timeout: 5_000 });
  // As many turns as it would need for the next part.
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  expect([receive.mock.calls.length, puts]).toEqual([RECEIVED_AT_ONCE, RECEIVED_AT_ONCE]);
});

test("3. what is there", async () => {
  const { clients } = await start();
  const { storage } = clients();
  const requests = batch();
  await storage.batchUpdateBlobs({ requests });
  const pace = vi.spyOn(workGate, "pace");
  onTestFinished(() => pace.mockRestore());
  const { responses } = await storage.batchUpdateBlobs({ requests });
  expect(responses.map(({ status }) => status?.code ?? 0)).toEqual(requests.map(() => 0));
  // The message, the answer, and between the parts of both.
  expect(pace.mock.calls.length).toBeLessThan(8);
});

test("4. long lists", async () => {
  const { clients } = await start();
  const { storage } = clients();
  const requests = batch(2 * DIGESTS_PER_TURN + 7, 9);
  const hashes = requests.map(({ digest }) => digest.hash);
  const digests = requests.map(({ digest }) => digest);
  const missing = await storage.findMissingBlobs({ blobDigests: digests });
  expect(missing.missingBlobDigests.map(({ hash }) => hash)).toEqual(hashes);
  const updated = await storage.batchUpdateBlobs({ requests });
  expect(updated.responses.map(({ digest }) => digest?.hash)).toEqual(hashes);
  const read = await storage.batchReadBlobs({ digests });
  expect(read.responses.map(({ digest, data }) => [digest?.hash, Buffer.from(data)])).toEqual(
    requests.map(({ data }, at) => [hashes[at], data]),
  );
});

test("5. what is read", async () => {
  const { cache, clients } = await start();
  const grants = vi.spyOn(cache, "grant");
  // A little more than is read into a buffer of its own size.
  const requests = batch(4, 65_600);
  await clients().storage.batchUpdateBlobs({ requests });
  const grant = await (grants.mock.results[0]!.value as ReturnType<typeof cache.grant>);
  const digests = requests.map(({ digest }) => create(DigestSchema, digest));
  const sizes = requests.map(({ data }) => data.length);
  for (const takesZstd of [false, true]) {
    const read = await readBatch(cache, grant, { digests, sizes, takesZstd, isGone: () => false });
    for (const { data } of read) expect(data!.buffer.byteLength).toBeLessThanOrEqual(2 * data!.length);
  }
});
