/**
 * Counts the fields of an encoded message in pieces: a message of 4 MB may have 262,144 of them, anywhere, so open messages are
 * kept in a list and not on the call stack.
 */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Fields, fieldsOf, isPacked, scalarWireType, wireTypeOf } from "./wire-types.ts";

export interface FieldLimits {
  /** Fields, list values and map entries of the message and its nested messages. */
  fields: number;
  /** Nested messages and groups. */
  depth: number;
}

/** A message has more fields than any client would send. */
export class TooManyFieldsError extends Error {
  /** `64 fields` */
  readonly most: string;

  constructor(most: string) {
    super(`it can have at most ${most}`);
    this.most = most;
  }
}

type MapField = DescField & { fieldKind: "map" };

/** An open element: a message, a group, a map entry. */
interface Within {
  fields: Fields;
  end: number;
  /** The group's number; undefined: it extends to `end`. */
  group: number | undefined;
  /** Set for entries, which the contract does not name. */
  map: MapField | undefined;
}

const NO_FIELDS: Fields = new Map();
/** Fields of a map entry. */
const [KEY, VALUE] = [1, 2];

export class FieldCounter {
  /** Fields counted so far. */
  count = 0;
  readonly #reader: BinaryReader;
  readonly #bytes: Uint8Array;
  readonly #limits: FieldLimits;
  readonly #open: Within[] = [];
  /** The uncounted rest of a packed list of numbers. */
  #packed: { type: WireType; end: number } | null = null;

  constructor(schema: DescMessage, bytes: Uint8Array, limits: FieldLimits) {
    this.#reader = new BinaryReader(bytes);
    this.#bytes = bytes;
    this.#limits = limits;
    this.#enter({ fields: fieldsOf(schema), end: bytes.length, group: undefined, map: undefined });
  }

  /**
   * @param most fields, or bytes of a list of numbers, to examine
   * @returns whether all fields are counted
   * @throws TooManyFieldsError; another Error for bytes that are not such a message
   */
  run(most: number): boolean {
    for (let left = most; left > 0;) {
      if (this.#packed) left -= this.#countPacked(this.#packed, left);
      else {
        const within = this.#open.at(-1);
        if (!within) return true;
        this.#step(within);
        left -= 1;
      }
    }
    return this.#open.length === 0 && !this.#packed;
  }

  #step(within: Within): void {
    const reader = this.#reader;
    const { end, group, map } = within;
    if (reader.pos >= end) {
      if (group !== undefined) throw new RangeError("A group does not end.");
      this.#open.pop();
      return;
    }
    const [number, type] = reader.tag();
    if (map) {
      this.#add(1);
      this.#walkEntry(map, { number, type, end });
    } else if (type === WireType.EndGroup) {
      if (number !== group) throw new RangeError("A group ends that did not begin.");
      this.#open.pop();
    } else {
      this.#add(1);
      const field = within.fields.get(number);
      if (field) this.#walkField(field, { type, end });
      else if (type === WireType.StartGroup)
        this.#enter({ fields: NO_FIELDS, end, group: number, map: undefined });
      else reader.skip(type, number);
    }
    if (reader.pos > end) throw new RangeError("A field ends past the end of its message.");
  }

  #walkField(field: DescField, { type, end }: { type: WireType; end: number }): void {
    const reader = this.#reader;
    if (isPacked(field, type)) {
      this.#packed = { type: wireTypeOf(field), end: this.#readEnd(end) };
      return;
    }
    if (type !== wireTypeOf(field)) throw new RangeError(`${field.name} has the wrong type.`);
    if (type === WireType.StartGroup)
      this.#enter({ fields: fieldsOf(field.message!), end, group: field.number, map: undefined });
    else if (field.fieldKind === "map")
      this.#open.push({ fields: NO_FIELDS, end: this.#readEnd(end), group: undefined, map: field });
    else if (field.message)
      this.#enter({
        fields: fieldsOf(field.message),
        end: this.#readEnd(end),
        group: undefined,
        map: undefined,
      });
    else reader.skip(type, field.number);
  }

  /** A map is a list of messages that the contract does not name. */
  #walkEntry(field: MapField, { number, type, end }: { number: number; type: WireType; end: number }): void {
    const isKey = number === KEY && type === scalarWireType(field.mapKey);
    if (!isKey && !(number === VALUE && type === valueType(field)))
      throw new RangeError(`${field.name} has a malformed entry.`);
    if (number === VALUE && field.message)
      this.#enter({
        fields: fieldsOf(field.message),
        end: this.#readEnd(end),
        group: undefined,
        map: undefined,
      });
    else this.#reader.skip(type, number);
  }

  /** @returns how many bytes were examined */
  #countPacked({ type, end }: { type: WireType; end: number }, most: number): number {
    const start = this.#reader.pos;
    const until = type === WireType.Varint ? Math.min(end, start + most) : end;
    const values = this.#bytes.subarray(start, until);
    this.#add(until < end ? countVarints(values) : countPacked(values, type));
    this.#reader.pos = until;
    if (until === end) this.#packed = null;
    return type === WireType.Varint ? values.length : 1;
  }

  #enter(within: Within): void {
    this.#open.push(within);
    if (this.#open.length > this.#limits.depth)
      throw new TooManyFieldsError(`${this.#limits.depth} levels of nested messages`);
  }

  #readEnd(end: number): number {
    const length = this.#reader.uint32();
    if (length > end - this.#reader.pos)
      throw new RangeError("A nested message ends past the end of its parent.");
    return this.#reader.pos + length;
  }

  #add(count: number): void {
    this.count += count;
    if (this.count > this.#limits.fields) throw new TooManyFieldsError(`${this.#limits.fields} fields`);
  }
}

function valueType(field: MapField): WireType {
  if (field.mapKind === "scalar") return scalarWireType(field.scalar);
  return field.message ? WireType.LengthDelimited : WireType.Varint;
}

/** @throws RangeError when the last value is truncated */
export function countPacked(values: Uint8Array, type: WireType): number {
  if (type === WireType.Varint) {
    if ((values.at(-1) ?? 0) >= 0x80) throw new RangeError("A list of numbers is cut off.");
    return countVarints(values);
  }
  const count = values.length / (type === WireType.Bit64 ? 8 : 4);
  if (!Number.isInteger(count)) throw new RangeError("A list of numbers is cut off.");
  return count;
}

/** The last byte of each number has its highest bit clear. */
function countVarints(values: Uint8Array): number {
  let count = 0;
  for (const byte of values) if (byte < 0x80) count += 1;
  return count;
}
