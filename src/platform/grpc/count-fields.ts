/**
 * How much an encoded message has in it, counted before it is decoded: two bytes can be an empty message, which takes 80 to
 * 160 bytes once decoded, and three an unknown field. 4 MB of them took 370 MB and kept everybody else waiting for 1.9 s.
 *
 * What the contract says of a field and what the bytes say must agree. The decoder goes by the contract: it reads a number
 * where the bytes announce 4 MB of text, and then that text as fields, which were not counted.
 */
import { type DescField, type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Fields, fieldsOf, isPacked, scalarWireType, wireTypeOf } from "./wire-types.ts";

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

export interface FieldLimits {
  /** Fields, each value of a list and each entry of a map, of the message and of all within it. */
  fields: number;
  /** Messages and groups inside each other. */
  depth: number;
}

/** A message has more in it than anything that a client would send. */
export class TooManyFieldsError extends Error {
  /** `64 fields` */
  readonly most: string;

  constructor(most: string) {
    super(`it may have at most ${most}`);
    this.most = most;
  }
}

interface Walk {
  reader: BinaryReader;
  limits: FieldLimits;
  count: number;
}

const NO_FIELDS: Fields = new Map();
/** Of an entry of a map. */
const [KEY, VALUE] = [1, 2];

/** @throws TooManyFieldsError; another Error for bytes that are no such message */
export function countFields(
  schema: DescMessage,
  bytes: Uint8Array,
  limits: FieldLimits = usualLimits(bytes.length),
): number {
  const walk = { reader: new BinaryReader(bytes), limits, count: 0 };
  walkMessage(walk, fieldsOf(schema), { end: bytes.length, depth: 1 });
  return walk.count;
}

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

interface Within {
  end: number;
  depth: number;
  /** The number of the group that it is; without one it goes to `end`. */
  group?: number;
}

function walkMessage(walk: Walk, fields: Fields, { end, depth, group }: Within): void {
  const { reader, limits } = walk;
  if (depth > limits.depth) throw new TooManyFieldsError(`${limits.depth} messages inside each other`);
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    if (type === WireType.EndGroup) {
      if (number !== group) throw new RangeError("A group ends that has not begun.");
      return;
    }
    add(walk, 1);
    const field = fields.get(number);
    if (field) walkField(walk, field, { type, end, depth });
    else if (type === WireType.StartGroup)
      walkMessage(walk, NO_FIELDS, { end, depth: depth + 1, group: number });
    else reader.skip(type, number);
    if (reader.pos > end) throw new RangeError("A field ends behind its message.");
  }
  if (group !== undefined) throw new RangeError("A group does not end.");
}

function walkField(
  walk: Walk,
  field: DescField,
  { type, end, depth }: { type: WireType; end: number; depth: number },
): void {
  const { reader } = walk;
  if (isPacked(field, type)) return walkPacked(walk, wireTypeOf(field), end);
  if (type !== wireTypeOf(field)) throw new RangeError(`${field.name} is of another type.`);
  if (type === WireType.StartGroup)
    walkMessage(walk, fieldsOf(field.message!), { end, depth: depth + 1, group: field.number });
  else if (field.fieldKind === "map") walkEntry(walk, field, { end: readEnd(reader, end), depth: depth + 1 });
  else if (field.message)
    walkMessage(walk, fieldsOf(field.message), { end: readEnd(reader, end), depth: depth + 1 });
  else reader.skip(type, field.number);
}

/** A map is a list of messages that the contract does not name. */
function walkEntry(
  walk: Walk,
  field: DescField & { fieldKind: "map" },
  { end, depth }: { end: number; depth: number },
): void {
  const { reader } = walk;
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    add(walk, 1);
    const isKey = number === KEY && type === scalarWireType(field.mapKey);
    if (!isKey && !(number === VALUE && type === valueType(field)))
      throw new RangeError(`${field.name} has an entry that is none.`);
    if (number === VALUE && field.message)
      walkMessage(walk, fieldsOf(field.message), { end: readEnd(reader, end), depth: depth + 1 });
    else reader.skip(type, number);
    if (reader.pos > end) throw new RangeError("A field ends behind its message.");
  }
}

function valueType(field: DescField & { fieldKind: "map" }): WireType {
  if (field.mapKind === "scalar") return scalarWireType(field.scalar);
  return field.message ? WireType.LengthDelimited : WireType.Varint;
}

function walkPacked(walk: Walk, type: WireType, end: number): void {
  add(walk, countPacked(walk.reader.bytes(), type));
  if (walk.reader.pos > end) throw new RangeError("A field ends behind its message.");
}

/** @throws RangeError when the last value is cut off */
export function countPacked(values: Uint8Array, type: WireType): number {
  if (type !== WireType.Varint) {
    const count = values.length / (type === WireType.Bit64 ? 8 : 4);
    if (!Number.isInteger(count)) throw new RangeError("A list of numbers is cut off.");
    return count;
  }
  let count = 0;
  // The last byte of each number has no highest bit.
  for (const byte of values) if (byte < 0x80) count += 1;
  if ((values.at(-1) ?? 0) >= 0x80) throw new RangeError("A list of numbers is cut off.");
  return count;
}

function readEnd(reader: BinaryReader, end: number): number {
  const length = reader.uint32();
  if (length > end - reader.pos) throw new RangeError("A message within ends behind the one that it is in.");
  return reader.pos + length;
}

function add(walk: Walk, count: number): void {
  walk.count += count;
  if (walk.count > walk.limits.fields) throw new TooManyFieldsError(`${walk.limits.fields} fields`);
}
