/**
 * 1. Fields are counted as the decoder would see them, including nested ones: lists, packed lists, maps, groups, unknown fields.
 * 2. Messages with more fields than any client sends are refused: at the top, nested, packed, in unknown groups; so are messages
 *    that are nested too deeply.
 * 3. Any bytes are either counted or refused with an Error; a decoded message never has more fields than were counted, even if
 *    the bytes state another type for a field than the contract.
 * 4. Numbers of more than ten bytes and truncated messages are never decoded.
 * 5. Unknown fields are not kept.
 * 6. With pieces of any size, counts and refusals equal those of the whole, and no piece examines more than its limit.
 */
import { create, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countFields, decodeCounted } from "./count-fields.ts";
import { FieldCounter, TooManyFieldsError } from "./field-counter.ts";

// The library's own messages, with nested messages, lists, packed lists and maps.
const Schema = FileDescriptorProtoSchema;

const text = fc.string({ unit: "grapheme", maxLength: 8 });
const file = fc
  .record({
    name: text,
    dependency: fc.array(text, { maxLength: 3 }),
    publicDependency: fc.array(fc.integer(), { maxLength: 4 }),
    messageType: fc.array(
      fc.record({
        name: text,
        field: fc.array(fc.record({ name: text, number: fc.integer() }), { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
    sourceCodeInfo: fc.record({
      location: fc.array(
        fc.record({ path: fc.array(fc.integer()), span: fc.array(fc.nat()), leadingComments: text }),
        { maxLength: 3 },
      ),
    }),
  })
  .map((value) => create(Schema, value));
const struct = fc
  .dictionary(text, fc.oneof(text, fc.double({ noNaN: true }), fc.array(fc.boolean(), { maxLength: 3 })), {
    maxKeys: 5,
  })
  .map((fields) => create(StructSchema, { fields: toStruct(fields) }));

const toStruct = (fields: Record<string, string | number | boolean[]>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? {
            kind: {
              case: "listValue" as const,
              value: {
                values: value.map((boolValue) => ({
                  kind: { case: "boolValue" as const, value: boolValue },
                })),
              },
            },
          }
        : typeof value === "string"
          ? { kind: { case: "stringValue" as const, value } }
          : { kind: { case: "numberValue" as const, value } },
    ]),
  );

/** The number of decoded values: each was a field, and a list may have been packed into one. */
function sizeOf(schema: DescMessage, message: Message): number {
  const view = reflect(schema, message);
  let size = 0;
  for (const field of schema.fields) {
    if (!view.isSet(field)) continue;
    const value: unknown = message[field.localName as keyof Message] ?? view.get(field);
    if (field.fieldKind === "list")
      for (const one of value as Message[]) size += 1 + (field.message ? sizeOf(field.message, one) : 0);
    else if (field.fieldKind === "map")
      for (const one of Object.values(value as object))
        size += 1 + (field.message ? sizeOf(field.message, one as Message) : 0);
    else size += 1 + (field.message ? sizeOf(field.message, partOf(message, field.localName)) : 0);
  }
  return size;
}

/** Alternatives are in an object with the oneof's name. */
function partOf(message: Message, name: string): Message {
  const own = message as unknown as Record<string, Message | { case: string; value: Message }>;
  const found =
    own[name] ??
    Object.values(own).find((one) => typeof one === "object" && "case" in one && one.case === name);
  return found && "case" in found ? (found.value as Message) : (found as Message);
}

const write = (fill: (writer: BinaryWriter) => BinaryWriter) => fill(new BinaryWriter()).finish();
const within = (field: number, bytes: Uint8Array) =>
  write((to) => to.tag(field, WireType.LengthDelimited).bytes(bytes));
const repeat = (count: number, ...bytes: number[]) => Buffer.alloc(count * bytes.length, Buffer.from(bytes));
const LOOSE = { fields: 1_000_000, depth: 32 };

test("1. counted", () => {
  const names = fc.array(fc.array(fc.string(), { maxLength: 5 }), { maxLength: 20 });
  fc.assert(
    fc.property(names, fc.array(fc.integer()), (list, publicDependency) => {
      const messageType = list.map((fields) => ({ name: "m", field: fields.map((name) => ({ name })) }));
      const bytes = toBinary(Schema, create(Schema, { name: "file", messageType, publicDependency }));
      const expected = list.reduce((sum, fields) => sum + 2 + 2 * fields.length, 1 + publicDependency.length);
      expect(countFields(Schema, bytes)).toBe(expected);
      expect(decodeCounted(Schema, bytes)).toEqual(fromBinary(Schema, bytes));
    }),
  );
  // An entry, its key, its value, and the field in that value.
  const map = create(StructSchema, { fields: toStruct({ a: "1", b: "2" }) });
  expect(countFields(StructSchema, toBinary(StructSchema, map))).toBe(8);
  // `path` of a location is packed: one field with 3 numbers.
  const packed = within(9, within(1, within(1, Buffer.from([1, 0x80, 1, 3]))));
  expect(countFields(Schema, packed)).toBe(6);
  const group = write((to) =>
    to.tag(99, WireType.StartGroup).tag(1, WireType.Varint).uint32(1).tag(99, WireType.EndGroup),
  );
  expect(countFields(Schema, group)).toBe(2);
  expect(countFields(Schema, Buffer.from([0xf8, 0x3f, 1, 0xf8, 0x3f, 1]))).toBe(2);
});

test("2. too many", () => {
  const refused = (bytes: Uint8Array) => expect(() => countFields(Schema, bytes)).toThrow(TooManyFieldsError);
  refused(repeat(200_000, 0x22, 0));
  refused(repeat(1_300_000, 0xf8, 0x3f, 1));
  refused(within(4, repeat(200_000, 0x12, 0)));
  refused(within(9, within(1, within(1, repeat(400_000, 1)))));
  const [start, end] = [
    write((to) => to.tag(99, WireType.StartGroup)),
    write((to) => to.tag(99, WireType.EndGroup)),
  ];
  refused(Buffer.concat([start, repeat(400_000, 0x08, 1), end]));
  refused(
    Buffer.concat([...Array.from({ length: 40 }, () => start), ...Array.from({ length: 40 }, () => end)]),
  );
  let deep: Uint8Array = new Uint8Array();
  // A message type within a message type within …
  for (let depth = 0; depth < 40; depth += 1) deep = within(3, deep);
  refused(within(4, deep));
  expect(() => countFields(Schema, repeat(65, 0x22, 0), { fields: 64, depth: 32 })).toThrow(
    /at most 64 fields/,
  );
  expect(() => countFields(Schema, within(4, within(2, deep)), { fields: 64, depth: 2 })).toThrow(
    /at most 2 levels/,
  );
});

test("3. never more than was counted", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
  const check = (schema: DescMessage, bytes: Uint8Array) => {
    let counted: number;
    try {
      counted = countFields(schema, bytes, LOOSE);
    } catch (error) {
      return expect(error).toBeInstanceOf(Error);
    }
    try {
      expect(sizeOf(schema, fromBinary(schema, bytes))).toBeLessThanOrEqual(counted);
    } catch (error) {
      // Text that is not UTF-8, or a number of more than ten bytes.
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
    }
  };
  const damaged = (schema: DescMessage, message: fc.Arbitrary<Message>) =>
    fc.property(message, damage, fc.nat(2), (value, changes, cut) => {
      const bytes = toBinary(schema, value);
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      check(schema, bytes.subarray(0, bytes.length - cut));
    });
  fc.assert(damaged(Schema, file), { numRuns: 3000 });
  fc.assert(damaged(StructSchema, struct), { numRuns: 3000 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void check(Schema, bytes)),
    { numRuns: 3000 },
  );

  // The decoder reads a number, then the announced text as fields.
  const hidden = repeat(200_000, 0x22, 0);
  const numbers = Buffer.concat([Buffer.from([0x72]), write((to) => to.uint32(hidden.length)), hidden]);
  expect(fromBinary(Schema, numbers).messageType).toHaveLength(200_000);
  expect(() => countFields(Schema, numbers, LOOSE)).toThrow(/the wrong type/);
  // A message that claims to be a number: its length.
  const outside = Buffer.concat([Buffer.from([0x20]), write((to) => to.uint32(2)), repeat(1, 0x0a, 0)]);
  expect(() => countFields(Schema, outside)).toThrow(/the wrong type/);
  // A nested message that extends past its parent.
  const overhang = Buffer.from([0x22, 2, 0x12, 4, 0x0a, 0, 0x0a, 0]);
  expect(() => countFields(Schema, overhang)).toThrow(/ends past the end/);
});

test("4. long numbers, cut messages", () => {
  const long = Buffer.from([...Array.from({ length: 12 }, () => 0xff), 1]);
  for (const tag of [[], [0x70]])
    expect(() => decodeCounted(Schema, Buffer.concat([Buffer.from(tag), long]))).toThrow();
  expect(() => countFields(Schema, within(9, within(1, within(1, Buffer.from([1, 0x80])))))).toThrow(
    /cut off/,
  );
  const whole = toBinary(Schema, create(Schema, { name: "a name", messageType: [{ name: "another" }] }));
  for (let end = 1; end < whole.length; end += 1)
    if (end !== 8) expect(() => countFields(Schema, whole.subarray(0, end))).toThrow();
  expect(() =>
    countFields(
      Schema,
      write((to) => to.tag(99, WireType.StartGroup)),
    ),
  ).toThrow(/does not end/);
  expect(() =>
    countFields(
      Schema,
      write((to) => to.tag(99, WireType.EndGroup)),
    ),
  ).toThrow(/did not begin/);
});

test("5. unknown", () => {
  const bytes = Buffer.concat([toBinary(Schema, create(Schema, { name: "a" })), repeat(20, 0xf8, 0x3f, 1)]);
  expect(decodeCounted(Schema, bytes)).toStrictEqual(create(Schema, { name: "a" }));
  const inside = within(1, bytes);
  expect(decodeCounted(FileDescriptorSetSchema, inside).file[0]?.$unknown).toBeUndefined();
});

test("6. in pieces", () => {
  const outcome = (count: () => number) => {
    try {
      return count();
    } catch {
      // A message that has too many fields and is truncated may be refused for either reason.
      return "refused";
    }
  };
  const check = (schema: DescMessage, bytes: Uint8Array, most: number) => {
    const pieces = () => {
      const counter = new FieldCounter(schema, bytes, { fields: 50, depth: 6 });
      while (!counter.run(most)) {
        /* the next piece */
      }
      return counter.count;
    };
    expect(outcome(pieces)).toBe(outcome(() => countFields(schema, bytes, { fields: 50, depth: 6 })));
  };
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
  const size = fc.integer({ min: 1, max: 20 });
  const damaged = (schema: DescMessage, message: fc.Arbitrary<Message>) =>
    fc.property(message, damage, size, (value, changes, most) => {
      const bytes = toBinary(schema, value);
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      check(schema, bytes, most);
    });
  fc.assert(damaged(Schema, file), { numRuns: 3000 });
  fc.assert(damaged(StructSchema, struct), { numRuns: 3000 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), size, (bytes, most) => check(Schema, bytes, most)),
    { numRuns: 3000 },
  );

  for (const bytes of [
    repeat(10_000, 0x22, 0),
    within(4, repeat(10_000, 0x12, 0)),
    within(9, within(1, within(1, repeat(10_000, 1)))),
  ]) {
    const counter = new FieldCounter(Schema, bytes, LOOSE);
    let before = 0;
    while (!counter.run(100)) {
      expect(counter.count - before).toBeLessThanOrEqual(100);
      before = counter.count;
    }
    expect(counter.count).toBe(countFields(Schema, bytes, LOOSE));
  }
});
