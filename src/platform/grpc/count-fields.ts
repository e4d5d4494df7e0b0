/**
 * How many fields an encoded message has, with those of the messages within it, before it is decoded: two bytes can be an
 * empty message, which takes 80 to 160 bytes once decoded. 4.6 MB of them took 370 MB of memory and kept everybody else
 * waiting for 0.6 s.
 */
import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** What one field takes once decoded, in bytes. */
export const FIELD_BYTES = 120;
/** Fields of one message: a FindMissingBlobs with 65,536 digests has 196,608. */
const MAX_FIELDS = 4 * 65_536;
/** Bytes of a message for each field. Digests have 24, and everything else that is large in number has digests. */
const BYTES_PER_FIELD = 8;
/** In addition to those, for small messages. */
const FREE_FIELDS = 4_096;

/** A message has more fields than anything that a client would send. */
export class TooManyFieldsError extends Error {}

type Nested = ReadonlyMap<number, DescMessage>;

const nestedOf = new WeakMap<DescMessage, Nested>();

function nestedFields(schema: DescMessage): Nested {
  const known = nestedOf.get(schema);
  if (known) return known;
  const found = new Map<number, DescMessage>();
  for (const { number, message } of schema.fields) if (message) found.set(number, message);
  nestedOf.set(schema, found);
  return found;
}

/** @throws TooManyFieldsError; another Error for bytes that are no message at all */
export function countFields(schema: DescMessage, bytes: Uint8Array): number {
  const most = Math.min(MAX_FIELDS, FREE_FIELDS + bytes.length / BYTES_PER_FIELD);
  const reader = new BinaryReader(bytes);
  let count = 0;
  const countTo = (end: number, nested: Nested): void => {
    while (reader.pos < end) {
      const [field, type] = reader.tag();
      count += 1;
      if (count > most)
        throw new TooManyFieldsError(`${bytes.length} bytes have at most ${Math.floor(most)} fields`);
      const within = type === WireType.LengthDelimited ? nested.get(field) : undefined;
      if (!within) {
        reader.skip(type, field);
        continue;
      }
      const length = reader.uint32();
      if (length > end - reader.pos) throw new RangeError("The message within ends too late.");
      countTo(reader.pos + length, nestedFields(within));
    }
  };
  countTo(bytes.length, nestedFields(schema));
  return count;
}

/** @throws Error for bytes that are no such message, or that would take too much */
export function decodeCounted<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  countFields(schema, bytes);
  return fromBinary(schema, bytes);
}
