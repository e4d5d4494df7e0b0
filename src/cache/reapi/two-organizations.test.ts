/**
 * Two organizations, one of which has what the other puts. Blobs are stored once for both, and neither can tell:
 * 1. An upload of either form is answered alike, and so is every read of it, in both forms, by ByteStream and in a batch:
 *    whether another organization had it before, and in which form or at which level it was compressed.
 * 2. A blob of the other organization is missing until it is put; an upload of it is not reported as complete before.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { constants, zstdCompressSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { Compressor_Value } from "../messages/gen/reapi/remote_execution_pb.ts";
import { digestOf, openTestReapi, type TestClients } from "../testing/reapi.ts";

async function open() {
  const test = await openTestReapi("sqlite");
  const as = (token: string) => test.clients({ authorization: `Bearer ${token}` });
  return { mine: as(test.tokens.write), others: as(test.tokens.other), close: test.close };
}

type Form = "plain" | "level 1" | "level 19";
const FORMS: readonly Form[] = ["plain", "level 1", "level 19"];

/** Each once: the highest levels take their time. */
const encoded = new WeakMap<Buffer, Map<Form, Buffer>>();

function encode(bytes: Buffer, form: Form): Buffer {
  if (form === "plain") return bytes;
  const known = encoded.get(bytes) ?? new Map<Form, Buffer>();
  encoded.set(bytes, known);
  const level = form === "level 1" ? 1 : 19;
  const data =
    known.get(form) ?? zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  known.set(form, data);
  return data;
}

async function write({ bytes: client }: TestClients, bytes: Buffer, form: Form) {
  const { hash } = digestOf(bytes);
  const kind = form === "plain" ? "blobs" : "compressed-blobs/zstd";
  const resourceName = `uploads/${randomUUID()}/${kind}/${hash}/${bytes.length}`;
  const before = await client.queryWriteStatus({ resourceName });
  const data = encode(bytes, form);
  const middle = data.length >> 1;
  const { committedSize } = await client.write(
    (async function* () {
      yield { resourceName, writeOffset: 0n, data: data.subarray(0, middle), finishWrite: false };
      yield { resourceName, writeOffset: BigInt(middle), data: data.subarray(middle), finishWrite: true };
    })(),
  );
  return [before.committedSize, before.complete, committedSize];
}

/** Everything that a client can see of it. */
async function look({ bytes: client, storage }: TestClients, bytes: Buffer) {
  const digest = digestOf(bytes);
  const read = async (kind: string, readOffset = 0n) => {
    const parts: Uint8Array[] = [];
    const resourceName = `${kind}/${digest.hash}/${bytes.length}`;
    for await (const { data } of client.read({ resourceName, readOffset })) parts.push(data);
    return Buffer.concat(parts).toString("base64");
  };
  const batch = async (acceptableCompressors: Compressor_Value[]) => {
    const { responses } = await storage.batchReadBlobs({ digests: [digest], acceptableCompressors });
    return responses.map(({ data, compressor, status }) => [
      Buffer.from(data).toString("base64"),
      compressor,
      status?.code,
    ]);
  };
  return {
    plain: await read("blobs"),
    compressed: await read("compressed-blobs/zstd"),
    end: await read("compressed-blobs/zstd", BigInt(bytes.length >> 1)),
    batch: await batch([]),
    compressedBatch: await batch([Compressor_Value.ZSTD]),
  };
}

/** Half of it can be compressed. */
const content = (size: number) =>
  Buffer.concat([randomBytes(size >> 1), Buffer.alloc(size - (size >> 1), "ab")]);

test.each([100, 4096, 5000, 300_000, 1_000_003])(
  "1. %i bytes",
  async (size) => {
    const bytes = content(size);
    const seen = new Map<Form, unknown>();
    // First no one else has it, then another organization has it in one of the forms.
    for (const before of [null, ...FORMS])
      for (const form of FORMS) {
        const { mine, others, close } = await open();
        if (before) await write(others, bytes, before);
        const what = { answer: await write(mine, bytes, form), ...(await look(mine, bytes)) };
        await close();
        const first = seen.get(form) ?? what;
        seen.set(form, first);
        expect(what).toEqual(first);
      }
    const [plain] = seen.values();
    expect(plain).toMatchObject({ plain: bytes.toString("base64") });
  },
  60_000,
);

test("2. what the other one has", async () => {
  const { mine, others, close } = await open();
  onTestFinished(close);
  const bytes = content(50_000);
  const digest = digestOf(bytes);
  await write(others, bytes, "level 19");
  const { missingBlobDigests } = await mine.storage.findMissingBlobs({ blobDigests: [digest] });
  expect(missingBlobDigests.map(({ hash }) => hash)).toEqual([digest.hash]);
  await expect(look(mine, bytes)).rejects.toSatisfy(
    (error) => error instanceof ConnectError && error.code === Code.NotFound,
  );
  expect(await write(mine, bytes, "plain")).toEqual([0n, false, 50_000n]);
});
