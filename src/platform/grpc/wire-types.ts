/** The contract's wire types. The decoder follows the contract alone and ignores the wire type in the bytes. */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

export type Fields = ReadonlyMap<number, DescField>;

const known = new WeakMap<DescMessage, Fields>();

/** Fields by number. */
export function fieldsOf(schema: DescMessage): Fields {
  const found = known.get(schema);
  if (found) return found;
  const fields = new Map(schema.fields.map((field) => [field.number, field]));
  known.set(schema, fields);
  return fields;
}

/** The wire type of one value of the field. */
export function wireTypeOf(field: DescField): WireType {
  if (field.fieldKind === "map") return WireType.LengthDelimited;
  if (field.message) return isDelimited(field) ? WireType.StartGroup : WireType.LengthDelimited;
  return field.scalar === undefined ? WireType.Varint : scalarWireType(field.scalar);
}

const isDelimited = (field: DescField) => "delimitedEncoding" in field && field.delimitedEncoding;

/** Whether all values of the field arrived packed, without tags in between. */
export function isPacked(field: DescField, type: WireType): boolean {
  if (field.fieldKind !== "list" || type !== WireType.LengthDelimited || field.message) return false;
  return wireTypeOf(field) !== type;
}

export function scalarWireType(type: ScalarType): WireType {
  switch (type) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
