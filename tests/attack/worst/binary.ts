/**
 * The worst messages of a type in the binary format of Protocol Buffers, from its descriptor: whatever is smallest on the wire
 * and largest once decoded, of each field of the type and of all types within it.
 */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { repeat, type Shape } from "./shapes.ts";

const VARINT = 0;
const BIT64 = 1;
const LENGTH = 2;
const START = 3;
const END = 4;
const BIT32 = 5;

/** The largest number that the format allows: five bytes. */
const LAST_NUMBER = 536_870_911;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

const tag = (number: number, type: number) => varint(number * 8 + type);
/** The same number in the ten bytes that decoders read at most. */
const overlong = (value: number) => [...varint(value).map((byte) => byte | 128), 0x80, 0x80, 0x80, 0];

const within = (number: number, bytes: Uint8Array | readonly number[]): Buffer =>
  Buffer.concat([Buffer.from([...tag(number, LENGTH), ...varint(bytes.length)]), Buffer.from(bytes)]);

/** The shapes of the type itself, and of every type within it, at the first place where it is found. */
export function binaryShapes(schema: DescMessage): Shape[] {
  return placesOf(schema).flatMap(({ type, path }) =>
    [...shapesOfType(type), ...type.fields.flatMap((field) => shapesOfField(field, type))].map(
      ({ name, make }) => ({
        name: [...path.map((field) => field.name), name].join(": "),
        make: (size, random) =>
          path.reduceRight(
            (inner, field) => wrap(field, inner),
            make(Math.max(0, size - 8 * path.length), random),
          ),
      }),
    ),
  );
}

interface Place {
  type: DescMessage;
  path: readonly DescField[];
}

function placesOf(schema: DescMessage): Place[] {
  const places: Place[] = [{ type: schema, path: [] }];
  const seen = new Set([schema]);
  for (const { type, path } of places)
    for (const field of type.fields) {
      if (!field.message || seen.has(field.message)) continue;
      seen.add(field.message);
      places.push({ type: field.message, path: [...path, field] });
    }
  return places;
}

/** The value of an entry is its field 2. */
const wrap = ({ fieldKind, number }: DescField, inner: Buffer) =>
  within(number, fieldKind === "map" ? within(2, inner) : inner);

function shapesOfType(type: DescMessage): Shape[] {
  const known = new Set(type.fields.map(({ number }) => number));
  let free = 1;
  while (known.has(free)) free += 1;
  const units: [name: string, unit: readonly number[]][] = [
    ["unknown numbers", [...tag(free, VARINT), 0]],
    ["unknown numbers of a far field", [...tag(1_023, VARINT), 1]],
    ["unknown numbers of the last field", [...tag(LAST_NUMBER, VARINT), 1]],
    ["unknown empty texts", [...tag(free, LENGTH), 0]],
    ["unknown numbers of 4 bytes", [...tag(free, BIT32), 0, 0, 0, 0]],
    ["unknown numbers of 8 bytes", [...tag(free, BIT64), 0, 0, 0, 0, 0, 0, 0, 0]],
    ["unknown empty groups", [...tag(free, START), ...tag(free, END)]],
    ["groups that do not end", tag(free, START)],
    ["groups that have not begun", tag(free, END)],
    ["overlong tags", [...overlong(free * 8), 0]],
    ["overlong unknown numbers", [...tag(free, VARINT), ...overlong(1)]],
    ["field 0", [0, 0]],
    ["numbers without an end", [0xff]],
    ["an unknown wire type", [...tag(free, 7)]],
  ];
  return [
    ...units.map(([name, unit]) => ({ name, make: (size: number) => repeat(unit, size) })),
    {
      name: "groups inside each other",
      make: (size) => Buffer.concat([repeat(tag(free, START), size / 2), repeat(tag(free, END), size / 2)]),
    },
    { name: "one unknown text", make: (size) => within(free, Buffer.alloc(Math.max(0, size - 10), 0x61)) },
    {
      name: "a text that is longer than what comes",
      make: (size) =>
        Buffer.concat([
          Buffer.from([...tag(free, LENGTH), ...varint(0x7fff_ffff)]),
          repeat([0x61], size - 10),
        ]),
    },
    {
      name: "any bytes",
      make: (size, random) =>
        Buffer.from(Array.from({ length: Math.min(size, 100_000) }, () => random.below(256))),
    },
  ];
}

function shapesOfField(field: DescField, parent: DescMessage): Shape[] {
  const { number, name } = field;
  const shape = (what: string, make: Shape["make"]): Shape => ({ name: `${name}, ${what}`, make });
  const again = (what: string, unit: readonly number[] | Uint8Array) =>
    shape(what, (size) => repeat(unit, size));
  const shapes = [
    again("empty", [...tag(number, LENGTH), 0]),
    again("as numbers", [...tag(number, VARINT), 0]),
    again("as empty groups", [...tag(number, START), ...tag(number, END)]),
    shape("as one text of empty fields", (size) =>
      within(number, repeat([...tag(number, LENGTH), 0], size - 10)),
    ),
  ];
  if (field.fieldKind === "map")
    return [
      ...shapes,
      again("entries of a key", within(number, [...tag(1, LENGTH), 1, 0x61])),
      shape("entries of a key each", (size) =>
        Buffer.concat(Array.from({ length: Math.floor(size / 12) }, (_, at) => entry(number, at))),
      ),
      again("entries with twenty values", within(number, repeat([...tag(2, LENGTH), 0], 40))),
    ];
  if (field.message)
    return [
      ...shapes,
      again("with an unknown number", within(number, [...tag(LAST_NUMBER, VARINT), 0])),
      ...(reaches(field.message, parent, new Set())
        ? [shape("inside each other", (size) => nest(field, parent, size))]
        : []),
    ];
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES)
    return [
      ...shapes,
      ...TEXTS.map(([what, unit]) => shape(what, (size) => within(number, repeat(unit, size - 10)))),
    ];
  return [
    ...shapes,
    again("overlong", [...tag(number, VARINT), ...overlong(1)]),
    again("the largest", [...tag(number, VARINT), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    again("of 4 bytes", [...tag(number, BIT32), 0, 0, 0, 0]),
    again("of 8 bytes", [...tag(number, BIT64), 0, 0, 0, 0, 0, 0, 0, 0]),
    shape("packed", (size) => within(number, repeat([0], size - 10))),
    again("packed, one by one", within(number, [0])),
  ];
}

const TEXTS: [name: string, unit: string | readonly number[]][] = [
  ["letters", "a"],
  ["signs of four bytes", "👩"],
  ["NULs", [0]],
  ["no UTF-8", [0xff]],
  ["half of a sign", [0xf0, 0x9f]],
  ["quotes", '"'],
  ["slashes", "/"],
  ["brackets", "["],
];

const entry = (number: number, at: number) => {
  const key = Buffer.from(at.toString(36));
  return within(number, Buffer.concat([within(1, key), within(2, [])]));
};

function reaches(type: DescMessage, wanted: DescMessage, seen: Set<DescMessage>): boolean {
  if (type === wanted) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fields.some(({ message }) => message !== undefined && reaches(message, wanted, seen));
}

/** As deep as so many bytes allow. Written from the inside, since each length has those of all within it. */
function nest(field: DescField, parent: DescMessage, size: number): Buffer {
  const circle = wayTo(field, parent);
  const bytes = Buffer.alloc(Math.max(0, size));
  let start = bytes.length;
  for (let at = 0; ; at += 1) {
    const { number, fieldKind } = circle[circle.length - 1 - (at % circle.length)]!;
    const head = (of: number) => [...tag(of, LENGTH), ...varint(bytes.length - start)];
    for (const of of fieldKind === "map" ? [2, number] : [number]) {
      const written = head(of);
      if (written.length > start) return bytes.subarray(start);
      bytes.set(written, start - written.length);
      start -= written.length;
    }
  }
}

/** The fields from `parent` through `field` back to `parent`. */
function wayTo(field: DescField, parent: DescMessage): DescField[] {
  const found = placesWithout(field.message!, parent);
  return [field, ...found];
}

function placesWithout(type: DescMessage, wanted: DescMessage): readonly DescField[] {
  return placesOf(type).find((place) => place.type === wanted)?.path ?? [];
}
