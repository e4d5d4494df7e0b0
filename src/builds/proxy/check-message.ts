/**
 * A message is decoded here and again by buildkitd, so both have to read the same. Anything that two decoders could read
 * differently is refused: a field that is not in our contract, a single field that comes twice, a wrong wire type. The number of
 * fields and their depth are bounded, because two bytes can be a message that takes a hundred times that once decoded.
 */
import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { Code } from "@connectrpc/connect";
import { decodeKnownFields } from "#platform/grpc/count-fields.ts";
import { countPacked } from "#platform/grpc/field-counter.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { fieldsOf, isPacked, scalarWireType, wireTypeOf } from "#platform/grpc/wire-types.ts";
import { MAX_DEPTH, MAX_FIELDS } from "./limits.ts";

/** Remaining number of fields of a request, including nested messages. */
export interface FieldBudget {
  left: number;
}

export const fieldBudget = (): FieldBudget => ({ left: MAX_FIELDS });

/**
 * As `decodeChecked`, for a message that our contract has only in part: other fields are let through.
 * @throws GrpcError
 */
export function decodeKnown<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  return decode(schema, bytes, { budget: fieldBudget(), isPartial: true });
}

const refuse = (message: string) => new GrpcError(Code.InvalidArgument, message);

/** Our contract has only those parts of a graph that are checked and shown here: BuildKit's own check is authoritative. */
const isReduced = ({ typeName }: DescMessage) => typeName.startsWith("pb.");

/** @throws GrpcError that says which field is refused */
export function decodeChecked<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  budget = fieldBudget(),
): MessageShape<Schema> {
  return decode(schema, bytes, { budget, isPartial: false });
}

function decode<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  how: { budget: FieldBudget; isPartial: boolean },
): MessageShape<Schema> {
  try {
    const reader = new BinaryReader(bytes);
    checkFields({ ...how, reader, depth: 0 }, schema, bytes.length);
    return decodeKnownFields(schema, bytes);
  } catch (cause) {
    if (cause instanceof GrpcError) throw cause;
    throw new GrpcError(Code.InvalidArgument, `the bytes are not a valid ${schema.name}`, { cause });
  }
}

interface Walk {
  reader: BinaryReader;
  budget: FieldBudget;
  isPartial: boolean;
  depth: number;
}

function checkFields(walk: Walk, schema: DescMessage, end: number): void {
  const { reader, budget, depth } = walk;
  if (depth > MAX_DEPTH) throw refuse(`messages can be nested at most ${MAX_DEPTH} deep`);
  const fields = fieldsOf(schema);
  const seen = new Set<unknown>();
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    take(budget, 1);
    if (type === WireType.StartGroup || type === WireType.EndGroup) throw refuse("groups are not supported");
    const field = fields.get(number);
    if (!field) {
      if (!walk.isPartial && !isReduced(schema))
        throw refuse(
          `this server does not know field ${number} of ${schema.name}: use a client for BuildKit 0.33, or a newer server`,
        );
      reader.skip(type, number);
    } else {
      checkOnce(field, seen);
      checkField({ ...walk, depth: depth + 1 }, field, type);
    }
    if (reader.pos > end) throw refuse(`${schema.name} is cut off`);
  }
}

function take(budget: FieldBudget, count: number): void {
  budget.left -= count;
  if (budget.left < 0) throw refuse(`a message can have at most ${MAX_FIELDS} fields`);
}

/** At most one field of a oneof may come. */
function checkOnce(field: DescField, seen: Set<unknown>): void {
  if (field.fieldKind === "list" || field.fieldKind === "map") return;
  const place = field.oneof ?? field;
  if (seen.has(place)) throw refuse(`${field.parent.name}.${field.name} occurs twice`);
  seen.add(place);
}

function checkField(walk: Walk, field: DescField, type: WireType): void {
  const { reader } = walk;
  const expected = wireTypeOf(field);
  if (isPacked(field, type)) return take(walk.budget, countPacked(reader.bytes(), expected));
  if (type !== expected) throw refuse(`${field.parent.name}.${field.name} has the wrong type`);
  if (field.fieldKind === "map") checkEntry(walk, field);
  else if (field.message) checkFields(walk, field.message, readEnd(reader));
  else reader.skip(type, field.number);
}

/** A map is a list of messages: its key is field 1, its value field 2. */
function checkEntry(walk: Walk, field: DescField & { fieldKind: "map" }): void {
  const { reader, budget } = walk;
  const end = readEnd(reader);
  const keyType = scalarWireType(field.mapKey);
  const valueType = field.mapKind === "scalar" ? scalarWireType(field.scalar) : WireType.LengthDelimited;
  let last = 0;
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    take(budget, 1);
    const isKey = number === 1 && type === keyType;
    // In this order, once each, as every encoder writes them.
    if (number <= last || !(isKey || (number === 2 && type === valueType)))
      throw refuse(`${field.parent.name}.${field.name} has a malformed entry`);
    last = number;
    if (number === 2 && field.message) checkFields(walk, field.message, readEnd(reader));
    else reader.skip(type, number);
  }
  if (reader.pos > end) throw refuse(`${field.parent.name}.${field.name} is cut off`);
}

function readEnd(reader: BinaryReader): number {
  const length = reader.uint32();
  return reader.pos + length;
}
