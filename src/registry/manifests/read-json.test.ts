/**
 * 1. JSON without duplicate names is read as by every parser.
 * 2. A duplicate field is found, at any depth and in any spelling.
 * 3. More values than any manifest has, and JSON that is too deep, are refused before they are parsed: later errors are not
 *    seen.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_REFERENCES } from "../contract/limits.ts";
import { readJson } from "./read-json.ts";

const read = (text: string) => readJson(Buffer.from(text));

test("1. JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
  for (const text of ['{"a:b":":","__proto__":{"constructor":1}}', String.raw`{"a\":\\":"\":"}`, '[":",{}]'])
    expect(read(text)).toEqual(JSON.parse(text));
});

test("2. twins", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
      const names = Object.keys(value);
      const name = JSON.stringify(names[at % names.length]);
      const text = JSON.stringify(value);
      expect(() => read(`[1,{"in":{${name}:0,${text.slice(1)}}]`)).toThrow(/appears twice/);
    }),
  );
  expect(() => read(String.raw`{"a":1,"\u0061":2}`)).toThrow(/"a" appears twice/);
  expect(() => read('{"__proto__":1,"__proto__":2}')).toThrow(/"__proto__" appears twice/);
});

test("3. too much", () => {
  const layer = {
    mediaType: "a/b",
    digest: `sha256:${"0".repeat(64)}`,
    size: 1,
    annotations: { a: "b", c: "d" },
  };
  const layers = Array.from({ length: MAX_REFERENCES }, () => layer);
  expect(read(JSON.stringify({ layers }))).toEqual({ layers });
  const names = Array.from({ length: 100_000 }, (_, at) => `"n${at}":1`).join(",");
  expect(() => read(`{${names}…`)).toThrow(/more than 49152 values/);
  expect(() => read("[".repeat(40))).toThrow(/nested more than/);
});
