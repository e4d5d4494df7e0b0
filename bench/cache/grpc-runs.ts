/** Bazel's requests, over gRPC. */
import { createHash, randomBytes } from "node:crypto";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { byteStreamMessages, reapiMessages } from "#cache/index.ts";
import { frame, type GrpcCall, openGrpc } from "./grpc-client.ts";
import { type Figures, measure } from "./measure.ts";
import { type Peer, TOKEN } from "./peers.ts";

const PACKAGE = "/build.bazel.remote.execution.v2";

export type GrpcRun = Record<
  | "GetActionResult hit"
  | "GetActionResult miss"
  | "FindMissing 50"
  | "FindMissing 1,000"
  | "Read 10 KB"
  | "Read 1 MB",
  (connections: number, seconds: number) => Promise<Figures>
>;

const encode = <Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>) =>
  frame(toBinary(desc, create(desc, message)));

const digestOf = (bytes: Uint8Array) => ({
  hash: createHash("sha256").update(bytes).digest("hex"),
  sizeBytes: BigInt(bytes.length),
});

const call = (path: string, message: Buffer, expected = [0]): GrpcCall => ({
  path,
  message,
  token: TOKEN,
  expected,
});

/** Uploads the data to be requested: 50 blobs of 10 KB, one of 1 MB, and a result that names two of them. */
export async function prepareGrpc({ port, pid }: Peer): Promise<GrpcRun> {
  const small = Array.from({ length: 50 }, () => randomBytes(10_000));
  const large = randomBytes(1_000_000);
  const client = await openGrpc(port);
  for (const blobs of [small, [large]]) {
    const requests = blobs.map((data) => ({ digest: digestOf(data), data }));
    const message = encode(reapiMessages.BatchUpdateBlobsRequestSchema, { requests });
    await client.send(call(`${PACKAGE}.ContentAddressableStorage/BatchUpdateBlobs`, message));
  }
  const actionDigest = digestOf(randomBytes(100));
  const outputFiles = small
    .slice(0, 2)
    .map((blob, index) => ({ path: `out/${index}.o`, digest: digestOf(blob) }));
  const result = encode(reapiMessages.UpdateActionResultRequestSchema, {
    actionDigest,
    actionResult: { outputFiles, exitCode: 0 },
  });
  await client.send(call(`${PACKAGE}.ActionCache/UpdateActionResult`, result));
  client.close();
  const missing = (count: number) =>
    encode(reapiMessages.FindMissingBlobsRequestSchema, {
      // Every second blob exists, as in a build that is half new.
      blobDigests: Array.from({ length: count }, (_, index) =>
        digestOf(index % 2 === 0 ? (small[index % small.length] ?? large) : randomBytes(10)),
      ),
    });
  const get = (digest: ReturnType<typeof digestOf>) =>
    encode(reapiMessages.GetActionResultRequestSchema, { actionDigest: digest });
  const read = (blob: Uint8Array) => {
    const { hash, sizeBytes } = digestOf(blob);
    return encode(byteStreamMessages.ReadRequestSchema, { resourceName: `blobs/${hash}/${sizeBytes}` });
  };
  const find = `${PACKAGE}.ContentAddressableStorage/FindMissingBlobs`;
  const runEach = (next: () => GrpcCall) => (connections: number, seconds: number) =>
    measure({ pid, connections, seconds }, async () => {
      const opened = await openGrpc(port);
      return { send: () => opened.send(next()), close: opened.close };
    });
  const run = (one: GrpcCall) => runEach(() => one);
  const action = `${PACKAGE}.ActionCache/GetActionResult`;
  return {
    "GetActionResult hit": run(call(action, get(actionDigest))),
    "GetActionResult miss": runEach(() => call(action, get(digestOf(randomBytes(9))), [5])),
    "FindMissing 50": run(call(find, missing(50))),
    "FindMissing 1,000": run(call(find, missing(1000))),
    "Read 10 KB": run(call("/google.bytestream.ByteStream/Read", read(small[0] ?? large))),
    "Read 1 MB": run(call("/google.bytestream.ByteStream/Read", read(large))),
  };
}
