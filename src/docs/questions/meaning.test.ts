/*
 * 1. A known question leads to its page, also in other words. (What sections mean alone needs real pages: tests/relevance has it.)
 * 2. A query whose words are in one paragraph keeps the order of words alone; so do code, phrases and single letters.
 * 3. Nothing, and words that the table does not have, are answered by words alone.
 * 4. A file that is cut off, damaged, foreign or of another index is refused with the reason.
 * 5. The table and what is built from it stay below 2 MB and 3 MB, and the vectors are built the same twice.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "#search/index.ts";
import { docsIndexSettings } from "../docs-index.ts";
import { buildMeaning } from "./build-meaning.ts";
import { openMeaning } from "./open-meaning.ts";
import { readTableFile } from "./table-file.ts";
import { readWordsTable } from "./words-table.ts";

const table = await readTableFile();

const texts: readonly (readonly [page: string, text: string])[] = [
  ["Retention", "Expired container images are removed after ninety days."],
  ["Certificates", "The server renews its certificate without a restart."],
  ["Runners", "A job starts on a fresh machine with four processors."],
  ["Sign-in", "Employees use the company's identity provider."],
];
const records = texts.map(([page, content], at) => ({
  objectID: `${at}`,
  url: `https://a.example/docs/${page.toLowerCase()}`,
  hierarchy_lvl0: "Docs",
  hierarchy_lvl1: page,
  hierarchy_lvl2: "null",
  hierarchy_lvl3: "null",
  hierarchy_lvl4: "null",
  content,
  type: "lvl1",
  level: 100,
  position: at,
}));
const index = buildIndex(records, docsIndexSettings([]));
const known = [
  { path: "/docs/sign-in", questions: ["can my coworkers log in with okta"] },
  { path: "/docs/retention", questions: ["clean up old docker pictures"] },
];
const meaning = buildMeaning(table, index, known);
const byMeaning = openIndex(index, { readMeaning: openMeaning(meaning, index) });
const byWords = openIndex(index);
const pagesOf = (opened: typeof byWords, q: string) =>
  search(opened, { q }).hits.map(({ document }) => document["hierarchy_lvl1"]);

test("1. other words and known questions", () => {
  expect(pagesOf(byMeaning, "delete old pictures of docker")[0]).toBe("Retention");
  expect(pagesOf(byWords, "okta login for colleagues")[0]).not.toBe("Sign-in");
  expect(pagesOf(byMeaning, "okta login for colleagues")[0]).toBe("Sign-in");
});

test.each(["identity provider", "four processors", '"fresh machine"', "--save-tag", "MILLRACE_TOKEN", "c"])(
  "2. the order of words: %s",
  (q) => {
    const count = pagesOf(byWords, q).length;
    expect(pagesOf(byMeaning, q).slice(0, count)).toEqual(pagesOf(byWords, q));
  },
);

test.each(["", "   ", "日本語", "é".repeat(500), "?!"])("3. nothing to read: %j", (q) => {
  expect(pagesOf(byMeaning, q)).toEqual(pagesOf(byWords, q));
});

const changed = (bytes: Uint8Array, at: number) =>
  bytes.map((byte, place) => (place === at ? byte ^ 1 : byte));

test.each([
  ["empty", new Uint8Array(), /cut off/],
  ["cut off", meaning.subarray(0, meaning.length - 9), /checksum/],
  ["damaged", changed(meaning, 1000), /checksum/],
  ["of another kind", table, /another kind/],
  ["of another version", changed(meaning, 4), /version/],
])("4. a file that is %s", (_, bytes, reason) => {
  expect(() => openMeaning(bytes, index)).toThrow(reason);
});

test("4. another index, and a file that is not a table", () => {
  const other = buildIndex(records.slice(1), docsIndexSettings([]));
  expect(() => openMeaning(meaning, other)).toThrow(/another index/);
  expect(() => readWordsTable(meaning)).toThrow(/another kind/);
  expect(() => readWordsTable(table.subarray(0, 100))).toThrow(/checksum/);
});

test("5. sizes", () => {
  expect(table.length).toBeLessThan(2_000_000);
  expect(meaning.length).toBeLessThan(3_000_000);
  expect(Buffer.compare(buildMeaning(table, index, known), meaning)).toBe(0);
  expect(readFileSync(new URL("README.md", import.meta.url), "utf8")).toContain("Apache-2.0");
});
