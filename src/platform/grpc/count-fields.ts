/**
 * How much an encoded message has in it, counted before it is decoded: two bytes can be an empty message, which takes 80 to
 * 160 bytes once decoded, and three an unknown field. 4 MB of them took 370 MB and kept everybody else waiting for 1.9 s.
 *
 * What the contract says of a field and what the bytes say must agree. The decoder goes by the contract: it reads a number
 * where the bytes announce 4 MB of text, and then that text as fields, which were not counted.
 */
import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { FieldCounter, type FieldLimits } from "./field-counter.ts";

/** What one field takes once decoded, in bytes. */
export const FIELD_BYTES = 120;
/** Fields of one message: a FindMissingBlobs with 65,536 digests has 196,608. */
const MAX_FIELDS = 4 * 65_536;
/** Bytes of a message for each field. Digests have 24, and everything else that is large in number has digests. */
const BYTES_PER_FIELD = 8;
/** In addition to those, for small messages. */
const FREE_FIELDS = 4_096;
/** Messages and groups inside each other. */
const MAX_DEPTH = 32;

/** @throws TooManyFieldsError; another Error for bytes that are no such message */
export function countFields(
  schema: DescMessage,
  bytes: Uint8Array,
  limits: FieldLimits = usualLimits(bytes.length),
): number {
  const counter = new FieldCounter(schema, bytes, limits);
  counter.run(Number.POSITIVE_INFINITY);
  return counter.count;
}

/** To count a message of any client of a build tool in pieces. */
export const createFieldCounter = (schema: DescMessage, bytes: Uint8Array): FieldCounter =>
  new FieldCounter(schema, bytes, usualLimits(bytes.length));

/** @throws Error for bytes that are no such message, or that would take too much */
export function decodeCounted<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  countFields(schema, bytes);
  return decodeKnownFields(schema, bytes);
}

/** The same of what is given back to others: a newer client finds what it has sent. */
export function decodeWhole<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  countFields(schema, bytes);
  return fromBinary(schema, bytes);
}

/** What the contract does not have is dropped: nobody here reads it, and each field of it is an object. */
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
