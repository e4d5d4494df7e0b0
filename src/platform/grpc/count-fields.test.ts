/**
 * 1. Fields are counted as the decoder would meet them, with those within.
 * 2. More than any client sends are refused, at the top and within, and no bytes make it throw anything but an error.
 */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countFields, decodeCounted, TooManyFieldsError } from "./count-fields.ts";

// A message of the library's own that has messages in messages.
const Schema = FileDescriptorProtoSchema;

test("1. counted", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { maxLength: 5 }), { maxLength: 20 }), (names) => {
      const messageType = names.map((fields) => ({ name: "m", field: fields.map((name) => ({ name })) }));
      const message = create(Schema, { name: "file", messageType });
      const bytes = toBinary(Schema, message);
      const within = names.reduce((sum, fields) => sum + 2 + 2 * fields.length, 0);
      expect(countFields(Schema, bytes)).toBe(1 + within);
      expect(decodeCounted(Schema, bytes)).toEqual(fromBinary(Schema, bytes));
    }),
  );
});

test("2. too many", () => {
  const empty = Buffer.alloc(400_000, Buffer.from([0x22, 0]));
  expect(() => countFields(Schema, empty)).toThrow(TooManyFieldsError);
  expect(() => countFields(Schema, Buffer.alloc(400_000, Buffer.from([0xf8, 0x07, 0])))).toThrow(
    TooManyFieldsError,
  );
  const head = Buffer.from([0x22, 0x80, 0xb5, 0x18]);
  const within = Buffer.concat([head, Buffer.alloc(400_000, Buffer.from([0x12, 0]))]);
  expect(() => countFields(Schema, within)).toThrow(TooManyFieldsError);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      try {
        countFields(Schema, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(() => decodeCounted(Schema, bytes)).toThrow();
      }
    }),
  );
});
