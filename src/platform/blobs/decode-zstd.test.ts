/**
 * 1. Bodies of any frames, split anywhere, are decoded whole: also skippable frames, frames with a checksum, empty frames.
 * 2. Anything but zstd is refused, also after a whole frame.
 */
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createZstdDecoder } from "./decode-zstd.ts";

async function decode(chunks: readonly Uint8Array[]): Promise<Buffer> {
  const decoder = createZstdDecoder();
  const parts: Buffer[] = [];
  const done = (async () => {
    for await (const part of decoder as AsyncIterable<Buffer>) parts.push(part);
  })();
  for (const chunk of chunks) decoder.write(chunk);
  decoder.end();
  await done;
  return Buffer.concat(parts);
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, at) => bytes.subarray(places[at], place));
}

const skippable = (bytes: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a53, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
};

const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // Blocks of one repeated byte, and several blocks.
  fc
    .record({ byte: fc.nat(255), length: fc.nat(400_000) })
    .map(({ byte, length }) => Buffer.alloc(length, byte)),
  fc.uint8Array({ minLength: 50, maxLength: 100 }).map((bytes) => Buffer.alloc(200_000, Buffer.from(bytes))),
);
const frame = fc.record({ content, isSkippable: fc.boolean(), hasChecksum: fc.boolean() });

test("1. frames", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (frames, cuts) => {
        const encoded = frames.map(({ content, isSkippable, hasChecksum }) =>
          isSkippable
            ? skippable(content)
            : zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: Number(hasChecksum) } }),
        );
        const expected = frames.filter(({ isSkippable }) => !isSkippable).map(({ content }) => content);
        const decoded = await decode(cutAt(Buffer.concat(encoded), cuts));
        expect(decoded.equals(Buffer.concat(expected))).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test("2. what is not zstd", async () => {
  const good = zstdCompressSync(Buffer.from("good"));
  for (const bytes of [
    Buffer.from("not zstd"),
    Buffer.concat([good, Buffer.from("more")]),
    good.subarray(0, -1),
  ])
    await expect(decode([bytes])).rejects.toThrow();
});
