/*
 * 1. Documents come back as they were given, in order, whatever their values and names.
 * 2. Columns give every value of a path, sorted and without repeats, and say what is absent, null or empty.
 * 3. A foreign, older, cut or changed file is refused with a reason; no single changed byte goes unnoticed.
 * 4. The bytes may begin anywhere in their buffer.
 * 5. The later of two documents with one key wins; a document without a usable key is refused.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, documents, getDocument, openIndex, type SearchDocument } from "../index.ts";
import { ColumnState } from "../contract/types.ts";

const settings = { primaryKey: "id", filterableAttributes: ["*"] };
const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 2 }) as fc.Arbitrary<SearchDocument[string]>;
const fields = fc.dictionary(fc.string({ unit: "grapheme" }), json, { maxKeys: 5, noNullPrototype: true });

test("1. documents", () => {
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 8 }), (given) => {
      const kept = given.map((one, id): SearchDocument => ({ ...one, id }));
      const index = openIndex(buildIndex(kept, settings));
      expect([...documents(index)]).toEqual(JSON.parse(JSON.stringify(kept)));
      kept.forEach((one, id) => expect(getDocument(index, id)).toEqual(JSON.parse(JSON.stringify(one))));
      expect(getDocument(index, "none")).toBeNull();
    }),
    { numRuns: 60 },
  );
});

test("2. columns", () => {
  const given: SearchDocument[] = [
    { id: 1, tags: ["b", "a", "b"], size: 10, author: { name: "Ada" } },
    { id: 2, tags: [], size: 9, author: [{ name: "Bo" }, { name: "Cy" }] },
    { id: 3, tags: null, size: "x" },
    { id: 4 },
  ];
  const index = openIndex(buildIndex(given, settings));
  const valuesOf = (name: string) => {
    const column = index.column(name)!;
    return given.map((_, id) =>
      [...column.refs.subarray(column.starts[id]!, column.starts[id + 1]!)].map((ref) => column.values[ref]),
    );
  };
  expect(valuesOf("tags")).toEqual([["b", "a"], [], [], []]);
  expect(index.column("size")!.values).toEqual([9, 10, "x"]);
  expect(valuesOf("author.name")).toEqual([["Ada"], ["Bo", "Cy"], [], []]);
  const { present, empty, null: isNull, absent } = ColumnState;
  expect([...index.column("tags")!.states]).toEqual([present, empty, isNull, absent]);
  expect(index.column("nothing")).toBeNull();
});

test("3. broken files", () => {
  const bytes = buildIndex([{ id: 1, text: "some words" }], settings);
  const codeOf = (file: Uint8Array) => {
    try {
      openIndex(file);
      return "opened";
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  expect(codeOf(new Uint8Array())).toBe("index_foreign");
  expect(codeOf(Uint8Array.from("PK\u0003\u0004 something else entirely", (one) => one.charCodeAt(0)))).toBe(
    "index_foreign",
  );
  const older = bytes.slice();
  older[8]!--;
  expect(codeOf(older)).toBe("index_version");
  expect(codeOf(bytes.slice(0, -8))).toBe("index_truncated");
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at]! ^= 0x10;
    expect(codeOf(changed), `byte ${at}`).toMatch(/^index_/);
  }
});

test("4. any alignment", () => {
  const bytes = buildIndex([{ id: 1, text: "some words" }], settings);
  for (let offset = 0; offset < 8; offset++) {
    const shifted = new Uint8Array(bytes.length + 8).subarray(offset, offset + bytes.length);
    shifted.set(bytes);
    expect(openIndex(shifted).documentCount).toBe(1);
  }
});

test("5. keys", () => {
  const build = (given: SearchDocument[]) => openIndex(buildIndex(given, settings));
  expect([...documents(build([{ id: 1, v: "a" }, { id: 2 }, { id: 1, v: "b" }]))]).toEqual([
    { id: 1, v: "b" },
    { id: 2 },
  ]);
  expect(() => build([{ v: "a" }])).toThrow("Document 0 has no `id`");
  expect(() => build([{ id: 1.5 }])).toThrow("`id` 1.5");
});
