/**
 * Counts the fields of an encoded message before it is decoded: two bytes can be an empty message, which takes 80 to 160 bytes
 * once decoded, and three bytes an unknown field. 4 MB of them took 370 MB and blocked all other work for 1.9 s.
 *
 * The bytes must match the contract's type of each field. The decoder follows the contract: where the bytes announce 4 MB of text
 * for a number, it reads a number, and then the text as fields, which were not counted.
 */
import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { FieldCounter, type FieldLimits } from "./field-counter.ts";

/** Memory of one decoded field, in bytes. */
export const FIELD_BYTES = 120;
/** Most fields of one message: a FindMissingBlobs with 65,536 digests has 196,608. */
const MAX_FIELDS = 4 * 65_536;
/** Bytes of a message per field. Digests have 24, and all other large lists contain digests. */
const BYTES_PER_FIELD = 8;
/** Additional fields, for small messages. */
const FREE_FIELDS = 4_096;
/** Nested messages and groups. */
const MAX_DEPTH = 32;

/** @throws TooManyFieldsError; another Error for bytes that are not such a message */
export function countFields(
  schema: DescMessage,
  bytes: Uint8Array,
  limits: FieldLimits = usualLimits(bytes.length),
): number {
  const counter = new FieldCounter(schema, bytes, limits);
  counter.run(Number.POSITIVE_INFINITY);
  return counter.count;
}

/** Counts a message of any build tool's client in pieces. */
export const createFieldCounter = (schema: DescMessage, bytes: Uint8Array): FieldCounter =>
  new FieldCounter(schema, bytes, usualLimits(bytes.length));

/** @throws Error for bytes that are not such a message, or that would take too much memory */
export function decodeCounted<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  countFields(schema, bytes);
  return decodeKnownFields(schema, bytes);
}

/** The same, for messages that are returned to clients: a newer client finds the fields that it has sent. */
export function decodeWhole<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  countFields(schema, bytes);
  return fromBinary(schema, bytes);
}

/** Fields that are not in the contract are dropped: they are not used here, and each is an object. */
export function decodeKnownFields<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  return fromBinary(schema, bytes, { readUnknownFields: false });
}

const usualLimits = (length: number): FieldLimits => ({
  fields: Math.min(MAX_FIELDS, FREE_FIELDS + Math.floor(length / BYTES_PER_FIELD)),
  depth: MAX_DEPTH,
});
