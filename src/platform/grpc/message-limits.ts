/**
 * The limits of a request, derived from its message in the contract: one value per single field, up to `LIST_VALUES` per list.
 * Requests of people and their tools have a few hundred bytes.
 */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { FieldLimits } from "./field-counter.ts";

export interface MessageLimits extends FieldLimits {
  /** Bytes of the message, encoded. */
  bytes: number;
}

/** Values of one list, entries of one map. Methods with longer lists set their own limits. */
const LIST_VALUES = 64;
/** Fields of newer clients, which this server drops. */
const UNKNOWN_FIELDS = 64;
/** Bytes for all numbers, JSON names and unknown fields; for one text; for one message. */
const BASE_BYTES = 4 * 1024;
const TEXT_BYTES = 16 * 1024;
const MOST_BYTES = 64 * 1024;
/** Levels of a recursive message. */
const RECURSION_DEPTH = 8;

interface Contents {
  fields: number;
  texts: number;
  depth: number;
}

const known = new WeakMap<DescMessage, MessageLimits>();

export function limitsOf(schema: DescMessage): MessageLimits {
  const found = known.get(schema);
  if (found) return found;
  const { fields, texts, depth } = contentsOf(schema, []);
  const limits = {
    bytes: Math.min(MOST_BYTES, BASE_BYTES + texts * TEXT_BYTES),
    fields: UNKNOWN_FIELDS + fields,
    depth,
  };
  known.set(schema, limits);
  return limits;
}

function contentsOf(schema: DescMessage, around: readonly DescMessage[]): Contents {
  const depth = around.length + 1;
  if (around.includes(schema)) return { fields: UNKNOWN_FIELDS, texts: 1, depth: depth + RECURSION_DEPTH };
  return schema.fields
    .map((field) => contentsOfField(field, [...around, schema]))
    .reduce(
      (all, one) => ({
        fields: all.fields + one.fields,
        texts: all.texts + one.texts,
        depth: Math.max(all.depth, one.depth),
      }),
      { fields: 0, texts: 0, depth },
    );
}

function contentsOfField(field: DescField, around: readonly DescMessage[]): Contents {
  const depth = around.length;
  const value = field.message
    ? contentsOf(field.message, field.fieldKind === "map" ? [...around, field.parent] : around)
    : { fields: 0, texts: isText(field.scalar) ? 1 : 0, depth };
  if (field.fieldKind === "list") return times(LIST_VALUES, { ...value, fields: value.fields + 1 });
  if (field.fieldKind !== "map") return { ...value, fields: value.fields + 1 };
  // An entry is a message with a key and a value.
  const entry = { fields: value.fields + 3, texts: value.texts + 1, depth: Math.max(value.depth, depth + 1) };
  return times(LIST_VALUES, entry);
}

const times = (count: number, { fields, texts, depth }: Contents): Contents => ({
  fields: count * fields,
  texts: count * texts,
  depth,
});

const isText = (scalar: ScalarType | undefined) =>
  scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
