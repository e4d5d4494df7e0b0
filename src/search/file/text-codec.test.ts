/*
 * 1. Any text comes back, whatever the codec was learned from: other scripts, halves of pairs, bytes never seen.
 * 2. Hashes take half their digits, capitals and odd digits come back too, runs longer than one code can hold as well.
 * 3. Prose and addresses take less than 60 % of their bytes; text that has nothing in common with the sample at most twice.
 * 4. A table gives every text back by its number, in any order, and knows repeats.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteList } from "./byte-list.ts";
import { readContainer, writeContainer } from "./container.ts";
import { StringTable, StringTableBuilder } from "./string-table.ts";
import { learnCodec, TextDecoding } from "./text-codec.ts";
import { encodeUtf8 } from "./utf8.ts";

function codecOf(texts: readonly string[]) {
  const encoding = learnCodec(texts.length, (number) => encodeUtf8(texts[number]!));
  const decoding = new TextDecoding(encoding.symbols());
  const encode = (text: string) => {
    const list = new ByteList();
    encoding.encode(encodeUtf8(text), list);
    return list.view().slice();
  };
  const decode = (bytes: Uint8Array) => decoding.decode(bytes, 0, bytes.length);
  return { encode, decode };
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc
    .array(
      fc.constantFrom("cache ", "https://docs.example.com/", "é", "日本", "0123456789abcdef", "\ufeff", "😀"),
    )
    .map((list) => list.join("")),
);

test("1. any text", () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { maxLength: 20 }),
      fc.array(anyText, { maxLength: 20 }),
      (learned, texts) => {
        const { encode, decode } = codecOf(learned);
        for (const text of [...learned, ...texts]) expect(decode(encode(text))).toBe(text.toWellFormed());
      },
    ),
    { numRuns: 200 },
  );
});

test("1. a giant text", () => {
  const giant = "Keep the layer cache warm. 缓存 😀 ".repeat(60_000);
  const { encode, decode } = codecOf([giant]);
  expect(decode(encode(giant))).toBe(giant);
});

test("2. hashes", () => {
  const { encode, decode } = codecOf(["The cache is kept."]);
  const hash = "49ab26fe8eff34ea95ed527c0697ef67933cdeb4";
  expect(encode(hash)).toHaveLength(2 + 20);
  for (const text of [
    hash.toUpperCase(),
    `${hash}a`,
    `x${hash}-1`,
    hash.repeat(40),
    "0".repeat(13),
    "deadbeef",
  ]) {
    expect(decode(encode(text))).toBe(text);
  }
});

test("3. sizes", () => {
  const prose = (at: number) =>
    `Builder ${at} keeps the layers of the project's images, so that build ${at * 7} starts with what build ${at} left.`;
  const address = (at: number) => `https://docs.example.com/guides/builders/page-${at}#keep-the-layers`;
  const texts = Array.from({ length: 500 }, (_, at) => (at % 2 ? prose(at) : address(at)));
  const { encode } = codecOf(texts);
  const bytes = (list: readonly string[]) => list.reduce((sum, text) => sum + encodeUtf8(text).length, 0);
  const taken = (list: readonly string[]) => list.reduce((sum, text) => sum + encode(text).length, 0);
  expect(taken(texts) / bytes(texts)).toBeLessThan(0.6);
  const foreign = ["ひらがなとカタカナ", "ΑΒΓΔ", "🚀🚀🚀"];
  expect(taken(foreign) / bytes(foreign)).toBeLessThanOrEqual(2);
});

test("4. tables", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (texts, order) => {
      const builder = new StringTableBuilder();
      const numbers = texts.map((text) => builder.add(text));
      expect(texts.map((text) => builder.add(text))).toEqual(numbers);
      const table = new StringTable(readContainer(writeContainer(builder.finish("texts"))), "texts");
      for (let read = 0; read < texts.length; read++) {
        const at = order.next().value! % texts.length;
        expect(table.at(numbers[at]!)).toBe(texts[at]!.toWellFormed());
      }
    }),
    { numRuns: 100 },
  );
});
