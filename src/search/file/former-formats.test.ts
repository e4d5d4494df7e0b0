/*
 * 1. Every format that was ever written has a file here, today's too: add one when you raise `FORMAT_VERSION`.
 * 2. Documents and settings of every former format are read as they were given.
 * 3. A file of a former format that is cut, changed, foreign or newer is refused with a reason.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documents, FORMAT_VERSION, formatOf, openIndex, readFormerIndex } from "../index.ts";

const FORMATS = Array.from({ length: FORMAT_VERSION }, (_, at) => at + 1);

const given = [
  { id: 1, title: "Café au lait", tags: ["warm", "milk"], price: 3.5, isHot: true },
  {
    id: 2,
    title: "Café au lait",
    tags: [],
    price: 12,
    note: null,
    origin: { country: "Peru", altitude: 1200 },
  },
  { id: "three", title: '𝔘nicode "quoted" text', url: "https://x.test/three#a", ["__proto__"]: "kept" },
  ...Array.from({ length: 30 }, (_, n) => ({
    id: 100 + n,
    title: `Cup number ${n}`,
    price: n,
    tags: ["cup"],
  })),
];
const settings = {
  primaryKey: "id",
  searchableAttributes: ["title", "tags"],
  filterableAttributes: ["tags", "price"],
  sortableAttributes: ["price"],
  synonyms: { cup: ["mug"] },
  stopWords: ["au"],
};

function fixture(format: number): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`fixtures/format-${format}.index`, import.meta.url)));
}

test("1. a file of every format", () => {
  expect(FORMATS.map((format) => formatOf(fixture(format)))).toEqual(FORMATS);
  const today = openIndex(fixture(FORMAT_VERSION));
  expect([...documents(today)]).toEqual(given);
  expect(today.settings).toMatchObject(settings);
});

describe("2. former formats", () => {
  test.each(FORMATS.slice(0, -1))("%s", (format) => {
    const former = readFormerIndex(fixture(format));
    expect(former.documents).toEqual(given);
    expect(former.settings).toMatchObject(settings);
  });
});

test("3. what is not a former format", () => {
  const codeOf = (bytes: Uint8Array) => {
    try {
      readFormerIndex(bytes);
      return "read";
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  for (const format of FORMATS.slice(0, -1)) {
    const whole = fixture(format);
    expect(codeOf(whole.slice(0, -8))).toBe("index_truncated");
    for (let at = 20; at < whole.length; at += 97) {
      const changed = whole.slice();
      changed[at]! ^= 0x10;
      expect(codeOf(changed), `format ${format}, byte ${at}`).toBe("index_damaged");
    }
  }
  const newer = fixture(FORMAT_VERSION);
  newer[8]!++;
  expect([codeOf(newer), codeOf(fixture(FORMAT_VERSION)), codeOf(new Uint8Array(40))]).toEqual(
    Array(3).fill("index_version"),
  );
});
