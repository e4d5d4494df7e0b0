import { setImmediate as nextTurn } from "node:timers/promises";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import { type Directory, DirectorySchema, TreeSchema } from "./gen/reapi/remote_execution_pb.ts";
import { DECODE_AT_ONCE_BYTES, MAX_DIRECTORY_BYTES } from "./limits.ts";

const DIRECTORY_FIELDS: ReadonlySet<number> = new Set(
  [TreeSchema.field.root, TreeSchema.field.children].map(({ number }) => number),
);

/**
 * The directories of an encoded `Tree`, one after the other: decoding a large one at once would let nobody else have a turn.
 * @throws RangeError, Error for bytes that are no tree, and for a directory that is too large
 */
export async function* treeDirectories(bytes: Uint8Array): AsyncIterable<Directory> {
  const reader = new BinaryReader(bytes);
  let turnAt = DECODE_AT_ONCE_BYTES;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!DIRECTORY_FIELDS.has(field)) {
      reader.skip(type, field);
      continue;
    }
    if (type !== WireType.LengthDelimited) throw new RangeError("A directory is none.");
    const directory = reader.bytes();
    if (directory.length > MAX_DIRECTORY_BYTES) throw new RangeError("A directory is too large.");
    yield decodeCounted(DirectorySchema, directory);
    if (reader.pos < turnAt) continue;
    turnAt = reader.pos + DECODE_AT_ONCE_BYTES;
    await nextTurn();
  }
}
