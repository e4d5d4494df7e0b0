/**
 * Recorded calls of real clients (tests/fixtures/wire/cache), with their headers, names, sizes of messages and compression, and
 * contents of the recorded sizes:
 * 1. Each is answered as the client needs it: a first build misses and uploads, the second finds everything.
 * 2. Each tool over gRPC has recordings. Every recording is played, here or over HTTP (`src/cache/tools/replay.test.ts`); the
 *    README next to them says why others are not there.
 */
import { zstdCompressSync } from "node:zlib";
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { answerOf, openRawClient, type RawAnswer, type RawClient } from "#platform/grpc/raw-client.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { expect, onTestFinished, test } from "vitest";
import { GRPC_TOOLS } from "../contract/tools.ts";
import { EMPTY_HASH } from "../messages/digests.ts";
import {
  ReadRequestSchema,
  ReadResponseSchema,
  WriteRequestSchema,
  WriteResponseSchema,
} from "../messages/gen/reapi/bytestream_pb.ts";
import {
  ActionResultSchema,
  BatchReadBlobsRequestSchema,
  BatchReadBlobsResponseSchema,
  BatchUpdateBlobsRequestSchema,
  BatchUpdateBlobsResponseSchema,
  Compressor_Value,
  DigestFunction_Value,
  FindMissingBlobsRequestSchema,
  FindMissingBlobsResponseSchema,
  GetActionResultRequestSchema,
  GetCapabilitiesRequestSchema,
  ServerCapabilitiesSchema,
  UpdateActionResultRequestSchema,
} from "../messages/gen/reapi/remote_execution_pb.ts";
import { groupEntries, type Recording, readRecordings } from "../testing/recordings.ts";
import { digestOf, openTestReapi } from "../testing/reapi.ts";

interface Recorded {
  rpc: string;
  headers: Record<string, string>;
  req: {
    instance?: string;
    digest?: string;
    inlineStdout?: boolean;
    fn?: DigestFunction_Value;
    stdoutDigest?: string;
    blobs?: number | (string | { digest: string; compressor: Compressor_Value })[];
    acceptable?: Compressor_Value[];
    resource?: string;
  };
  res?: "OK" | "NOT_FOUND" | { sizes?: number[] } | null;
}

const REAPI = "/build.bazel.remote.execution.v2.";
const SERVICES: Readonly<Record<string, string>> = {
  Capabilities: `${REAPI}Capabilities`,
  ActionCache: `${REAPI}ActionCache`,
  CAS: `${REAPI}ContentAddressableStorage`,
  ByteStream: "/google.bytestream.ByteStream",
};

/** Requests over HTTP have no `rpc`. */
const callsOf = (entries: object[]): Recorded[] =>
  (entries as Recorded[]).filter(({ rpc }) => (rpc?.split("/")[0] ?? "") in SERVICES);

const [OVER_GRPC, REST] = [true, false].map((isGrpc) =>
  readRecordings().filter(({ entries }) => callsOf(entries).length > 0 === isGrpc),
) as [Recording[], Recording[]];

/** One client's calls, in the recorded order. Recorded digests stand for contents of our own, of the same size. */
class Replay {
  readonly #client: RawClient;
  readonly #token: string;
  readonly #uploaded = new Set<string>();

  constructor(client: RawClient, token: string) {
    this.#client = client;
    this.#token = token;
  }

  /** @param digest `8a0331e8d122/144`, or with the whole hash */
  content(digest: string): Buffer {
    const [hash = "", size = "0"] = digest.split("/");
    return Buffer.alloc(Number(size), `${hash.slice(0, 12)} `);
  }

  digest(recorded: string) {
    if (EMPTY_HASH.startsWith(recorded.slice(0, 12))) return { hash: EMPTY_HASH, sizeBytes: 0n };
    return digestOf(this.content(recorded));
  }

  call<Schema extends DescMessage>(
    { rpc, headers }: Recorded,
    schema: Schema,
    messages: MessageInitShape<Schema>[],
  ): Promise<RawAnswer> {
    const [service = "", method = ""] = rpc.split("/");
    const { "content-type": _, ...sent } = headers;
    const stream = this.#client.open(`${SERVICES[service]}/${method}`, {
      ...sent,
      authorization: `Bearer ${this.#token}`,
    });
    const answer = answerOf(stream);
    for (const message of messages) stream.write(frameMessage(toBinary(schema, create(schema, message))));
    stream.end();
    return answer;
  }

  async upload(
    recorded: Recorded,
    digests: string[],
    compressor: Compressor_Value = Compressor_Value.IDENTITY,
  ): Promise<void> {
    const requests = digests.map((digest) => ({
      digest: this.digest(digest),
      data:
        compressor === Compressor_Value.ZSTD ? zstdCompressSync(this.content(digest)) : this.content(digest),
      compressor,
    }));
    const instanceName = recorded.req.instance ?? "";
    const batch = { ...recorded, rpc: "CAS/BatchUpdateBlobs" };
    const answer = await this.call(batch, BatchUpdateBlobsRequestSchema, [{ instanceName, requests }]);
    const { responses } = fromBinary(BatchUpdateBlobsResponseSchema, only(answer));
    expect(responses.map(({ status }) => status?.code)).toEqual(digests.map(() => 0));
    for (const digest of digests) this.#uploaded.add(digest);
  }

  async play(recorded: Recorded): Promise<void> {
    const { req, res } = recorded;
    const instanceName = req.instance ?? "";
    const digestFunction = req.fn ?? DigestFunction_Value.UNKNOWN;
    switch (recorded.rpc) {
      case "Capabilities/GetCapabilities": {
        const answer = await this.call(recorded, GetCapabilitiesRequestSchema, [{ instanceName }]);
        const { lowApiVersion, cacheCapabilities } = fromBinary(ServerCapabilitiesSchema, only(answer));
        expect([lowApiVersion?.major, lowApiVersion?.minor]).toEqual([2, 0]);
        expect(cacheCapabilities?.actionCacheUpdateCapabilities?.updateEnabled).toBe(true);
        return;
      }
      case "ActionCache/GetActionResult": {
        const { inlineStdout = false } = req;
        const actionDigest = this.digest(req.digest ?? "");
        const request = { instanceName, actionDigest, inlineStdout, digestFunction };
        const answer = await this.call(recorded, GetActionResultRequestSchema, [request]);
        expect([req.digest, answer.code]).toEqual([req.digest, res === "OK" ? 0 : 5]);
        if (res === "OK" && inlineStdout)
          expect(fromBinary(ActionResultSchema, only(answer)).stdoutRaw.length).toBeGreaterThan(0);
        return;
      }
      case "ActionCache/UpdateActionResult": {
        // Some outputs were there from an earlier build.
        const stdout = req.stdoutDigest ?? "";
        if (!stdout.startsWith(EMPTY_HASH.slice(0, 12))) await this.upload(recorded, [stdout]);
        const outputFiles = [...this.#uploaded].map((digest, at) => ({
          path: `out/${at}`,
          digest: this.digest(digest),
        }));
        const actionResult = { outputFiles, stdoutDigest: this.digest(stdout) };
        const actionDigest = this.digest(req.digest ?? "");
        const request = { instanceName, actionDigest, actionResult, digestFunction };
        expect((await this.call(recorded, UpdateActionResultRequestSchema, [request])).code).toBe(0);
        return;
      }
      case "CAS/FindMissingBlobs": {
        const there = [...this.#uploaded].map((digest) => this.digest(digest));
        const never = Array.from({ length: Number(req.blobs) }, (_, at) =>
          digestOf(Buffer.from(`never ${at}`)),
        );
        const request = { instanceName, blobDigests: [...there, ...never], digestFunction };
        const answer = await this.call(recorded, FindMissingBlobsRequestSchema, [request]);
        const { missingBlobDigests } = fromBinary(FindMissingBlobsResponseSchema, only(answer));
        expect(missingBlobDigests.map(({ hash }) => hash)).toEqual(never.map(({ hash }) => hash));
        return;
      }
      case "CAS/BatchUpdateBlobs": {
        const blobs = (Array.isArray(req.blobs) ? req.blobs : []).filter((blob) => typeof blob !== "string");
        await this.upload(
          recorded,
          blobs.map(({ digest }) => digest),
          blobs[0]?.compressor,
        );
        return;
      }
      case "CAS/BatchReadBlobs": {
        const digests = (Array.isArray(req.blobs) ? req.blobs : []).filter(
          (blob) => typeof blob === "string",
        );
        for (const digest of digests) if (!this.#uploaded.has(digest)) await this.upload(recorded, [digest]);
        const request = {
          instanceName,
          digests: digests.map((digest) => this.digest(digest)),
          acceptableCompressors: req.acceptable ?? [],
        };
        const answer = await this.call(recorded, BatchReadBlobsRequestSchema, [request]);
        const { responses } = fromBinary(BatchReadBlobsResponseSchema, only(answer));
        expect(responses.map(({ status }) => status?.code ?? 0)).toEqual(digests.map(() => 0));
        for (const { compressor } of responses)
          expect(req.acceptable?.includes(compressor) || compressor === 0).toBe(true);
        return;
      }
      case "ByteStream/Write":
        return this.#write(recorded);
      case "ByteStream/Read":
        return this.#read(recorded);
      default:
        throw new Error(`No one has written how ${recorded.rpc} is played.`);
    }
  }

  async #write(recorded: Recorded): Promise<void> {
    const resource = recorded.req.resource ?? "";
    const digest = /[0-9a-f]{64}\/\d+$/.exec(resource)?.[0] ?? "";
    const plain = this.content(digest);
    const [step = 1] = typeof recorded.res === "object" ? (recorded.res?.sizes ?? []) : [];
    const isCompressed = resource.includes("compressed-blobs");
    const bytes = isCompressed
      ? Buffer.concat([zstdCompressSync(plain.subarray(0, 16_384)), zstdCompressSync(plain.subarray(16_384))])
      : plain;
    const messages = [];
    for (let at = 0; at < bytes.length; at += step)
      messages.push({
        resourceName: at === 0 ? this.#named(resource, digest) : "",
        writeOffset: BigInt(at),
        data: bytes.subarray(at, at + step),
        finishWrite: at + step >= bytes.length,
      });
    const answer = await this.call(recorded, WriteRequestSchema, messages);
    const { committedSize } = fromBinary(WriteResponseSchema, only(answer));
    expect(committedSize).toBe(BigInt(bytes.length));
    this.#uploaded.add(digest);
  }

  async #read(recorded: Recorded): Promise<void> {
    const resource = recorded.req.resource ?? "";
    const digest = /[0-9a-f]{64}\/\d+$/.exec(resource)?.[0] ?? "";
    const resourceName = this.#named(resource, digest);
    const answer = await this.call(recorded, ReadRequestSchema, [{ resourceName }]);
    const parts = answer.messages.map((message) => fromBinary(ReadResponseSchema, message).data);
    const bytes = Buffer.concat(parts);
    expect([resource, answer.code]).toEqual([resource, 0]);
    if (!resource.includes("compressed")) expect(bytes.equals(this.content(digest))).toBe(true);
    else expect(bytes.subarray(0, 4).toString("hex")).toBe("28b52ffd");
  }

  /** With the hash of our content. */
  #named = (resource: string, digest: string) =>
    resource.replace(digest, `${this.digest(digest).hash}/${digest.split("/")[1]}`);
}

function only({ code, message, messages }: RawAnswer): Buffer {
  expect([code, message, messages.length]).toEqual([0, "", 1]);
  return messages[0] ?? Buffer.alloc(0);
}

test.each(groupEntries(OVER_GRPC))("1. %s", async (_group, entries) => {
  const server = await openTestReapi("sqlite");
  onTestFinished(server.close);
  const client = openRawClient(server.port);
  onTestFinished(client.close);
  const replay = new Replay(client, server.tokens.write);
  for (const recorded of callsOf(entries)) await replay.play(recorded);
});

test.each(GRPC_TOOLS)("2. recordings of %s", (tool) => {
  const message = `no recording of ${tool}: CONTRIBUTING.md, "Add a cache tool", says how to get tests/fixtures/wire/cache/${tool}-1-miss.json`;
  const own = OVER_GRPC.filter((recording) => recording.tool === tool);
  expect(own, message).not.toEqual([]);
  // Those without a number would not be played.
  expect(own.filter(({ group }) => group === null)).toEqual([]);
});

test("2. none is left out", () => {
  const isPlayedOverHttp = ({ entries }: Recording) => entries.every((entry) => "method" in entry);
  expect(REST.filter((recording) => !isPlayedOverHttp(recording)).map(({ name }) => name)).toEqual([]);
});
