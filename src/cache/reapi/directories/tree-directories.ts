import { setImmediate as nextTurn } from "node:timers/promises";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import { type Directory, DirectorySchema, TreeSchema } from "../../messages/gen/reapi/remote_execution_pb.ts";
import { DECODE_AT_ONCE_BYTES, MAX_DIRECTORY_BYTES, MAX_OUTPUTS } from "../calls/limits.ts";

const DIRECTORY_FIELDS: ReadonlySet<number> = new Set(
  [TreeSchema.field.root, TreeSchema.field.children].map(({ number }) => number),
);

/** Cost of the smallest directory, and of another field, in bytes: two bytes can be either. */
const DIRECTORY_COST_BYTES = 256;
const FIELD_COST_BYTES = 16;

/**
 * The directories of an encoded `Tree`, one after the other: decoding a large tree in one go would block all other requests.
 * @throws RangeError, Error for bytes that are not a tree, for a directory that is too large and for too many
 */
export async function* treeDirectories(bytes: Uint8Array): AsyncIterable<Directory> {
  const reader = new BinaryReader(bytes);
  let left = DECODE_AT_ONCE_BYTES;
  for (let fields = 1; reader.pos < reader.len; fields += 1) {
    if (fields > MAX_OUTPUTS) throw new RangeError("A tree has too many directories.");
    const begin = reader.pos;
    const directory = nextDirectory(reader);
    if (directory) yield decodeCounted(DirectorySchema, directory);
    left -= reader.pos - begin + (directory ? DIRECTORY_COST_BYTES : FIELD_COST_BYTES);
    if (left > 0) continue;
    left = DECODE_AT_ONCE_BYTES;
    await nextTurn();
  }
}

/** @returns null for another field */
function nextDirectory(reader: BinaryReader): Uint8Array | null {
  const [field, type] = reader.tag();
  if (!DIRECTORY_FIELDS.has(field)) {
    reader.skip(type, field);
    return null;
  }
  if (type !== WireType.LengthDelimited) throw new RangeError("A directory is malformed.");
  const directory = reader.bytes();
  if (directory.length > MAX_DIRECTORY_BYTES) throw new RangeError("A directory is too large.");
  return directory;
}
