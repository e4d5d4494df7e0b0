/**
 * 1. Whatever an encoder writes is decoded to the same.
 * 2. Whatever bytes come, they are decoded or refused with a GrpcError, in bounded work.
 * 3. Anything that two decoders could read differently is refused: an unknown field, a single field twice, two alternatives, a
 *    wrong type.
 * 4. Depth and number of fields are bounded.
 */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SolveRequestSchema } from "#builds/gen/buildkit/control_pb.ts";
import { OpSchema } from "#builds/gen/buildkit/ops_pb.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { decodeChecked } from "./check-message.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const texts = fc.dictionary(text, text, { maxKeys: 4 });
const entry = fc.record({ type: text, attrs: texts });
const definition = fc.record({
  def: fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 }),
  metadata: fc.dictionary(text, fc.record({ ignoreCache: fc.boolean(), description: texts }), { maxKeys: 2 }),
});
const solve = fc
  .record({
    ref: text,
    session: text,
    frontend: text,
    frontendAttrs: texts,
    entitlements: fc.array(text, { maxLength: 3 }),
    internal: fc.boolean(),
    exporters: fc.array(entry, { maxLength: 3 }),
    definition,
    frontendInputs: fc.dictionary(text, definition, { maxKeys: 2 }),
    cache: fc.record({ exports: fc.array(entry, { maxLength: 2 }), importRefsDeprecated: fc.array(text) }),
    compatibilityVersion: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  })
  .map((value) => create(SolveRequestSchema, value));

const refusal = (
  bytes: Uint8Array,
  schema: typeof SolveRequestSchema | typeof OpSchema = SolveRequestSchema,
) => {
  try {
    decodeChecked(schema, bytes);
  } catch (error) {
    return error instanceof GrpcError ? error.message : `bug: ${String(error)}`;
  }
  return null;
};

test("1. what is encoded is decoded", () => {
  fc.assert(
    fc.property(solve, (message) => {
      const bytes = toBinary(SolveRequestSchema, message);
      expect(decodeChecked(SolveRequestSchema, bytes)).toStrictEqual(fromBinary(SolveRequestSchema, bytes));
    }),
  );
});

test("2. damaged bytes are decoded or refused", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(solve, damage, fc.nat(), (message, changes, cut) => {
      const bytes = toBinary(SolveRequestSchema, message);
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
      const some = bytes.subarray(0, bytes.length - (cut % 3));
      expect(refusal(some) ?? "").not.toContain("bug");
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(refusal(bytes) ?? "").not.toContain("bug");
    }),
    { numRuns: 2000 },
  );
});

test("3. what could be read differently is refused", () => {
  const write = (fill: (writer: BinaryWriter) => BinaryWriter) => fill(new BinaryWriter()).finish();
  const string = (writer: BinaryWriter, field: number, value: string) =>
    writer.tag(field, WireType.LengthDelimited).string(value);
  expect(refusal(write((to) => string(to, 18, "new")))).toContain("does not know field 18 of SolveRequest");
  expect(refusal(write((to) => string(string(to, 1, "one"), 1, "two")))).toBe(
    "SolveRequest.ref occurs twice",
  );
  expect(refusal(write((to) => to.tag(1, WireType.Varint).uint32(1)))).toBe(
    "SolveRequest.ref has the wrong type",
  );
  expect(refusal(write((to) => to.tag(1, WireType.StartGroup).tag(1, WireType.EndGroup)))).toBe(
    "groups are not supported",
  );
  const attribute = (fields: readonly (readonly [number, string])[]) =>
    write((to) => {
      to.tag(7, WireType.LengthDelimited).fork();
      for (const [field, value] of fields) string(to, field, value);
      return to.join();
    });
  expect(
    refusal(
      attribute([
        [1, "a"],
        [2, "b"],
      ]),
    ),
  ).toBeNull();
  for (const fields of [
    [
      [2, "b"],
      [1, "a"],
    ],
    [
      [1, "a"],
      [1, "b"],
    ],
    [
      [1, "a"],
      [3, "b"],
    ],
  ] as const)
    expect(refusal(attribute(fields))).toContain("has a malformed entry");
  const empty = (to: BinaryWriter, field: number) => to.tag(field, WireType.LengthDelimited).fork().join();
  expect(
    refusal(
      write((to) => empty(empty(to, 2), 3)),
      OpSchema,
    ),
  ).toContain("occurs twice");
});

test("4. depth and number are bounded", () => {
  let deep = new Uint8Array();
  const wrap = (field: number, bytes: Uint8Array) =>
    new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish();
  // A definition of the file that a definition was made from, of the file that …
  for (let depth = 0; depth < 20; depth += 1) deep = wrap(3, wrap(2, wrap(3, deep)));
  expect(refusal(wrap(2, deep))).toMatch(/at most 24 deep/);
  const many = Buffer.alloc(1_000_000, Buffer.from([0x22, 0]));
  expect(refusal(many)).toMatch(/at most 200000 fields/);
});
