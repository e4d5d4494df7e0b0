/*
 * 1. Documents come back in any order of reading, whole and in part, whatever repeats from document to document.
 * 2. Numbers of every size and sign come back as JSON has them.
 * 3. Values that a document shares with the one before it cost next to nothing; giant and foreign texts are kept
 *    whole.
 * 4. A number without a document is refused, with the number of documents.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, SearchDocument } from "../contract/types.ts";
import { readContainer, writeContainer } from "./container.ts";
import { DocumentStore, writeDocuments } from "./document-store.ts";

function store(documents: SearchDocument[]) {
  const bytes = writeContainer(writeDocuments(documents));
  return { bytes, read: new DocumentStore(readContainer(bytes)) };
}

// Few values and few names, so that neighbours share them and shapes come and go.
const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>("null", "Cache", "", 0, 7, null, true, ["a"], { b: 1 }, "ab12".repeat(10)),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const names = ["url", "title", "__proto__", "content", "level", "a", "b", "c", "d", "e"];
const documentOf = (given: [string, Json][]): SearchDocument => {
  const document: SearchDocument = {};
  for (const [name, value] of given)
    Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
  return document;
};
const documents = fc.array(
  fc.oneof(
    fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 12 }).map(documentOf),
    fc.tuple(values, values).map(([title, content]): SearchDocument => ({ url: "/a", title, content })),
  ),
  { minLength: 1, maxLength: 70 },
);

test("1. any order", () => {
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.nat()), (given, order) => {
      const { read } = store(given);
      expect(read.count).toBe(given.length);
      for (let time = 0; time < 2 * given.length; time++) {
        const id = order.next().value! % given.length;
        expect(Object.entries(read.read(id))).toEqual(Object.entries(given[id]!));
        const part = read.read(id, (name) => name === "title");
        expect(part).toEqual(Object.hasOwn(given[id]!, "title") ? { title: given[id]!["title"] } : {});
      }
      expect(given.map((_, id) => read.read(id))).toEqual(given);
    }),
    { numRuns: 150 },
  );
});

test("2. numbers", () => {
  const numbers = [
    0,
    -0,
    1,
    127,
    128,
    -1,
    0.5,
    2 ** 28 - 1,
    2 ** 28,
    2 ** 31,
    2 ** 53,
    -(2 ** 40),
    1e300,
    5e-324,
  ];
  const { read } = store(numbers.map((value) => ({ value })));
  const back = JSON.parse(JSON.stringify(numbers)) as number[];
  expect(numbers.map((_, id) => read.read(id)["value"])).toEqual(back);
});

test("3. sizes", () => {
  const shared = {
    url: "https://docs.example.com/cache#limits",
    title: "Cache",
    level: "null",
    type: "content",
  };
  const many = Array.from({ length: 5000 }, (_, position): SearchDocument => ({ ...shared, position }));
  expect(store(many).bytes.length / many.length).toBeLessThan(6);
  const giant: SearchDocument = {
    id: "g",
    text: "Zwischenspeicher, 缓存 und 😀. ".repeat(50_000),
    list: many.slice(0, 9),
  };
  const { read } = store([giant, ...many, giant]);
  expect(read.read(5001)).toEqual(giant);
  expect(read.read(0)).toEqual(giant);
  expect(read.read(4999)).toEqual(many[4998]);
});

test("4. no such document", () => {
  const { read } = store([{ id: 1 }]);
  for (const id of [-1, 1, 0.5, NaN]) expect(() => read.read(id)).toThrow(`No document ${id} of 1.`);
});
