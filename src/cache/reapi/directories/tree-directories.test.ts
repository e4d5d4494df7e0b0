/**
 * 1. The directories of a tree are the same as those from decoding it in one go, in the order of its bytes: root, children,
 *    with unknown fields between.
 * 2. Bytes that are not a tree throw and do nothing else; so does a directory above the limit, or with more fields than any
 *    has, and a tree with more directories than any has.
 * 3. Other requests get their turn while a large tree is decoded, also one of empty directories, or of other fields.
 */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Directory, DirectorySchema, TreeSchema } from "../../messages/gen/reapi/remote_execution_pb.ts";
import { DECODE_AT_ONCE_BYTES, MAX_DIRECTORY_BYTES, MAX_OUTPUTS } from "../calls/limits.ts";
import { treeDirectories } from "./tree-directories.ts";

async function decode(bytes: Uint8Array): Promise<Directory[]> {
  const directories: Directory[] = [];
  for await (const directory of treeDirectories(bytes)) directories.push(directory);
  return directories;
}

const digest = fc.record({
  hash: fc.string({ maxLength: 64 }),
  sizeBytes: fc.bigInt({ min: 0n, max: 1n << 40n }),
});
const directory = fc
  .record({
    files: fc.array(fc.record({ name: fc.string(), digest, isExecutable: fc.boolean() }), { maxLength: 5 }),
    directories: fc.array(fc.record({ name: fc.string(), digest }), { maxLength: 5 }),
  })
  .map((fields) => create(DirectorySchema, fields));
/** A number, bytes and a message in fields that no tree has. */
const UNKNOWN = [
  [0x78, 5],
  [0x7a, 2, 0x0a, 0],
  [0x7d, 1, 2, 3, 4],
].map((bytes) => Buffer.from(bytes));

test("1. as at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(directory, { nil: undefined }),
      fc.array(directory, { maxLength: 10 }),
      fc.constantFrom(...UNKNOWN, Buffer.alloc(0)),
      async (root, children, unknown) => {
        const bytes = Buffer.concat([
          unknown,
          toBinary(TreeSchema, create(TreeSchema, { ...(root && { root }) })),
          unknown,
          toBinary(TreeSchema, create(TreeSchema, { children })),
          unknown,
        ]);
        const whole = fromBinary(TreeSchema, bytes);
        expect(await decode(bytes)).toEqual([...(whole.root ? [whole.root] : []), ...whole.children]);
      },
    ),
  );
});

/** A directory of at least that many bytes, as the field of a tree's children. */
function childOf(bytes: number, name = "n".repeat(1000)): Buffer {
  const files = Array.from({ length: Math.ceil(bytes / (name.length + 6)) }, () => ({ name }));
  return Buffer.from(toBinary(TreeSchema, create(TreeSchema, { children: [{ files }] })));
}

/** A directory of a tree's children. */
const EMPTY = Buffer.from([0x12, 0]);

test("2. what is not a tree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const result = await decode(bytes).catch((error: unknown) => error);
      let whole: unknown;
      try {
        whole = fromBinary(TreeSchema, bytes);
      } catch {
        expect(result).toBeInstanceOf(Error);
      }
      if (whole) expect(result).not.toBeInstanceOf(TypeError);
    }),
    { numRuns: 500 },
  );
  const child = childOf(50_000);
  for (const cut of [1, 3, 1000, child.length - 1])
    await expect(decode(child.subarray(0, cut))).rejects.toThrow();
  expect(await decode(childOf(MAX_DIRECTORY_BYTES - 100_000))).toHaveLength(1);
  await expect(decode(childOf(MAX_DIRECTORY_BYTES))).rejects.toThrow("too large");
  // Empty files, two bytes each.
  const head = Buffer.from([0x12, 0x80, 0xb5, 0x18]);
  await expect(decode(Buffer.concat([head, Buffer.alloc(400_000, Buffer.from([0x0a, 0]))]))).rejects.toThrow(
    "fields",
  );
  const empty = Buffer.alloc(2 * MAX_OUTPUTS, EMPTY);
  expect(await decode(empty)).toHaveLength(MAX_OUTPUTS);
  await expect(decode(Buffer.concat([empty, EMPTY]))).rejects.toThrow("too many");
});

async function turnsOf(bytes: Uint8Array, directories: number): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await decode(bytes)).toHaveLength(directories);
  clearImmediate(timer);
  return turns;
}

test("3. turns", async () => {
  const bytes = Buffer.concat(Array.from({ length: 40 }, () => childOf(100_000)));
  expect(await turnsOf(bytes, 40)).toBeGreaterThanOrEqual(
    Math.floor(bytes.length / DECODE_AT_ONCE_BYTES) - 2,
  );
  expect(await turnsOf(Buffer.alloc(2 * 100_000, EMPTY), 100_000)).toBeGreaterThanOrEqual(40);
  expect(await turnsOf(Buffer.alloc(2 * MAX_OUTPUTS, Buffer.from([0x78, 5])), 0)).toBeGreaterThanOrEqual(10);
});
