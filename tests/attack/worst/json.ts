/**
 * The worst JSON: of a message, from its descriptor; of a route, from a body that it accepts, in which one value after
 * the other is the worst; and texts that are not JSON at all.
 */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { join, repeat, type Shape } from "./shapes.ts";

/** Marks the place in a text where a value is inserted. */
const HERE = "@here@";
const WRITTEN = JSON.stringify(HERE);

/** Values of any kind. */
const VALUES: Shape[] = [
  text("a text of letters", "a"),
  text("a text of escapes", "\\u0061"),
  text("a text of half signs, escaped", "\\ud800"),
  text("a text of backslashes", "\\\\"),
  text("a text of quotes", '\\"'),
  text("a text of signs", "👩"),
  text("a text of digits", "9"),
  text("a text of zeros behind a point", "0", "0."),
  text("a text of blanks", " "),
  text("a text of brackets", "["),
  text("a text of slashes", "/"),
  text("a text of equals signs", "="),
  text("a text of NULs", "\\u0000"),
  number("a number of digits", "9"),
  number("a fraction of digits", "0", "0."),
  number("an exponent of digits", "9", "1e"),
  number("a negative exponent", "9", "1e-"),
  list("numbers", "0"),
  list("empty texts", '""'),
  list("empty objects", "{}"),
  list("empty lists", "[]"),
  list("nulls", "null"),
  list("objects of one name", '{"a":0}'),
  list("large numbers", "1e308"),
  object("names", (at) => `"n${at.toString(36)}":0`),
  object("names of numbers", (at) => `"${at}":0`),
  object("names of numbers, backwards", (at) => `"${4_000_000_000 - at}":0`),
  object("escaped names", (at) => `"\\u006e${at.toString(36)}":0`),
  object("one name", () => '"a":0'),
  object("names of the language", () => '"__proto__":{}'),
  object("empty names", () => '"":[]'),
  object("names with objects", (at) => `"${at.toString(36)}":{}`),
  deep("lists inside each other", "[", "]"),
  deep("objects inside each other", '{"a":', "}", "0"),
  deep("objects of one escaped name inside each other", '{"\\u0061":', "}", "0"),
  { name: "blanks", make: (size) => Buffer.concat([repeat(" ", size - 1), Buffer.from("0")]) },
];

function text(name: string, unit: string, begin = ""): Shape {
  return {
    name,
    make: (size) =>
      Buffer.concat([Buffer.from(`"${begin}`), repeat(unit, size - 2 - begin.length), Buffer.from('"')]),
  };
}

function number(name: string, digit: string, begin = ""): Shape {
  return { name, make: (size) => Buffer.concat([Buffer.from(begin), repeat(digit, size - begin.length)]) };
}

function list(name: string, value: string): Shape {
  return {
    name: `a list of ${name}`,
    make: (size) =>
      Buffer.concat([
        Buffer.from("["),
        repeat(`${value},`, size - 2 - value.length),
        Buffer.from(`${value}]`),
      ]),
  };
}

function object(name: string, part: (at: number) => string): Shape {
  return {
    name: `an object of ${name}`,
    make: (size) => join(size, { begin: "{", part, between: ",", end: "}" }),
  };
}

function deep(name: string, open: string, close: string, core = ""): Shape {
  return {
    name,
    make(size) {
      const count = Math.floor((size - core.length) / (open.length + close.length));
      return Buffer.concat([
        repeat(open, count * open.length),
        Buffer.from(core),
        repeat(close, count * close.length),
      ]);
    },
  };
}

/** Texts that a parser may read to their end before it sees that they are not JSON. */
const BROKEN: Shape[] = [
  ["open lists", "["],
  ["open objects", '{"a":'],
  ["an open text", "a", '"'],
  ["backslashes in an open text", "\\", '"'],
  ["blanks", " "],
  ["lines", "\n"],
  ["bytes that are no UTF-8", "\u00ff"],
  ["NULs", "\0"],
  ["commas", ",", "["],
  ["minus signs", "-"],
  ["values behind each other", "{}"],
  ["lines of values", '{"a":0}\n'],
  ["comments", "/**/"],
].map(([name = "", unit = "", begin = ""]) => ({
  name: `${name}, broken`,
  make: (size) =>
    Buffer.concat([Buffer.from(begin), repeat(Buffer.from(unit, "latin1"), size - begin.length)]),
}));

export const jsonShapes: readonly Shape[] = [...VALUES, ...BROKEN];

/** Each value of the body is the worst once; a list has the same again and again. */
export function shapesOfBody(body: unknown): Shape[] {
  return placesIn(body, []).flatMap(({ value, path }) => {
    const around = JSON.stringify(replaceAt(body, path, HERE));
    const same = list("the same value", JSON.stringify(value));
    return [...VALUES, same].map(({ name, make }) =>
      put(around, { name: `${path.join(".")}: ${name}`, make }),
    );
  });
}

function put(around: string, { name, make }: Shape): Shape {
  const [before = "", after = ""] = around.split(WRITTEN);
  const edges = Buffer.byteLength(before) + Buffer.byteLength(after);
  return {
    name,
    make: (size, random) =>
      Buffer.concat([Buffer.from(before), make(Math.max(8, size - edges), random), Buffer.from(after)]),
  };
}

interface At {
  value: unknown;
  path: readonly (string | number)[];
}

/** Only the first item of a list. */
function placesIn(value: unknown, path: At["path"]): At[] {
  const inside: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item: unknown) => [0, item])
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [];
  return [{ value, path }, ...inside.flatMap(([name, item]) => placesIn(item, [...path, name]))];
}

function replaceAt(body: unknown, [name, ...rest]: At["path"], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(body))
    return body.map((item: unknown, at) => (at === name ? replaceAt(item, rest, value) : item));
  const fields = body as Record<string, unknown>;
  return { ...fields, [name]: replaceAt(fields[name], rest, value) };
}

/** Each field of the message, and of all within it, is the worst once. */
export function shapesOfMessage(schema: DescMessage): Shape[] {
  return [...jsonShapes, ...fieldsWithin(schema, [], new Set()).flatMap(shapesOfPath)];
}

function fieldsWithin(
  schema: DescMessage,
  path: readonly DescField[],
  seen: ReadonlySet<DescMessage>,
): (readonly DescField[])[] {
  if (seen.has(schema)) return [];
  const within = new Set([...seen, schema]);
  return schema.fields.flatMap((field) => {
    const here = [...path, field];
    return [here, ...(field.message ? fieldsWithin(field.message, here, within) : [])];
  });
}

function shapesOfPath(path: readonly DescField[]): Shape[] {
  const field = path.at(-1)!;
  const name = path.map((each) => each.name).join(".");
  const isMany = field.fieldKind === "list" || field.fieldKind === "map";
  const same = object("the same field", () => `${JSON.stringify(field.jsonName)}:null`);
  const named = (around: string, shape: Shape) => put(around, { ...shape, name: `${name}: ${shape.name}` });
  return [
    ...[...VALUES, ...ownShapes(field)].map((shape) => named(textAround(path), shape)),
    // Instead of the list or the map itself.
    ...(isMany ? VALUES.map((shape) => named(textAround(path, true), shape)) : []),
    named(textAround(path.slice(0, -1)), same),
  ];
}

/** A message in which the last field's value is `HERE`. @param isWhole the whole list or map, not one value */
function textAround(path: readonly DescField[], isWhole = false): string {
  return path.reduceRight((inner, field, at) => {
    const isBare = isWhole && at === path.length - 1;
    return `{${JSON.stringify(field.jsonName)}:${isBare ? inner : inMany(field, inner)}}`;
  }, WRITTEN);
}

const inMany = ({ fieldKind }: DescField, inner: string) =>
  fieldKind === "list" ? `[${inner}]` : fieldKind === "map" ? `{"a":${inner}}` : inner;

/** Values in the notation of the field's kind, so that they get further than others. */
function ownShapes({ scalar, message }: DescField): Shape[] {
  if (message?.typeName === "google.protobuf.Timestamp")
    return [text("a time of digits", "0", "2026-01-01T00:00:00."), text("a time of years", "9", "")];
  if (message?.typeName === "google.protobuf.Duration") return [text("a duration of digits", "1", "0.")];
  if (scalar === ScalarType.BYTES) return [text("base64", "AAAA"), text("base64 with signs", "-_")];
  if (scalar === undefined || scalar === ScalarType.STRING || scalar === ScalarType.BOOL) return [];
  return [text("a negative number as text", "9", "-"), text("a number with an exponent", "0", "1e")];
}
