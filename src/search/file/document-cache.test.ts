/**
 * 1. For any requests in any order, the documents are the same as when read.
 * 2. Kept documents stay within the bound; the longest unused goes first, and giants are not kept at all.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { SearchDocument } from "../contract/types.ts";
import { createDocumentCache } from "./document-cache.ts";

function counted(documents: SearchDocument[], maxUnits: number) {
  const read: number[] = [];
  const cache = createDocumentCache((id) => {
    read.push(id);
    return structuredClone(documents[id]!);
  }, maxUnits);
  return { cache, read };
}

test("1. the same documents", () => {
  const document = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<SearchDocument>;
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1 }),
      fc.array(fc.nat()),
      fc.nat(2000),
      (documents, asked, size) => {
        const { cache } = counted(documents, size);
        for (const number of asked) {
          const id = number % documents.length;
          expect(cache.get(id)).toEqual(documents[id]);
        }
      },
    ),
  );
});

test("2. what is kept", () => {
  // Each counts 16 for the object, 8 for a value and its text.
  const documents = [..."abcdefghijklmnopqrst"].map((letter) => ({ text: letter.repeat(76) }));
  documents.push({ text: "x".repeat(200) });
  const { cache, read } = counted(documents, 1600);
  for (let id = 0; id < 16; id++) cache.get(id);
  for (let id = 0; id < 16; id++) cache.get(id);
  expect(read).toHaveLength(16);
  cache.get(0);
  cache.get(16);
  expect(read.splice(0)).toHaveLength(17);
  cache.get(0);
  cache.get(1);
  expect(read.splice(0)).toEqual([1]);
  cache.get(20);
  cache.get(20);
  expect(read).toEqual([20, 20]);
});
