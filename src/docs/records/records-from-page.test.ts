/**
 * Properties of the records of a page:
 * 1. The page is first (type lvl1, level 100), then one record per heading and block, positions from 0 without gaps.
 * 2. Text belongs to the headings above it; a deeper heading ends where a higher heading starts; absent levels are "null".
 * 3. Ids are unique and do not change when other text of the page changes.
 * 4. Placeholders are replaced; urls are absolute and carry the anchor.
 * 5. Cutting a long text loses only white space and gives pieces of at most 600 characters.
 * 6. Each table row is a separate record: its cells and the names of their columns. Without an anchor it has the anchor of the
 *    row above it. A row that is too long continues in another record, which names its columns again.
 * 7. A heading's record has the first sentence of its section, even if that is below a deeper heading.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "#docs/content/types.ts";
import { pageOf as pageFixture } from "../content/checks/page-fixture.ts";
import { siteAddress } from "../address/site-address.ts";
import { recordsFromPage } from "./records-from-page.ts";
import { splitText } from "./split-text.ts";

const options = { address: siteAddress("https://docs.example.com"), section: "Cache" };

const pageOf = (blocks: Block[]) =>
  pageFixture({ title: "Cache on {{host}}", description: "At {{origin}}.", blocks });

const blocks: Block[] = [
  { kind: "paragraph", text: "Intro." },
  { kind: "heading", depth: 2, id: "keys", text: "Keys" },
  { kind: "heading", depth: 3, id: "hashes", text: "Hashes" },
  { kind: "code", text: "curl {{origin}}", title: "a.sh" },
  { kind: "heading", depth: 2, id: "limits", text: "Limits" },
  {
    kind: "table",
    text: "",
    columns: ["Limit", "Value", ""],
    rows: [
      { id: "limit-quota", cells: ["Quota", "50 GB", "on {{host}}"] },
      { id: null, cells: ["Age", "14 days", ""] },
      { id: "limit-size", cells: ["Size", "2 GB", ""] },
    ],
  },
];

test("records of a page", () => {
  const rows = recordsFromPage(pageOf(blocks), options).map((record) => [
    record.type,
    record.level,
    record.url.replace("https://docs.example.com/docs/cache/overview", ""),
    record.hierarchy_lvl2,
    record.hierarchy_lvl3,
    record.content,
  ]);
  expect(rows).toEqual([
    ["lvl1", 100, "", "null", "null", "At https://docs.example.com."],
    ["content", 0, "", "null", "null", "Intro."],
    ["lvl2", 90, "#keys", "Keys", "null", "null"],
    ["lvl3", 80, "#hashes", "Keys", "Hashes", "null"],
    ["code", 0, "#hashes", "Keys", "Hashes", "a.sh\ncurl https://docs.example.com"],
    ["lvl2", 90, "#limits", "Limits", "null", "null"],
    ["row", 0, "#limit-quota", "Limits", "null", "Quota\t50 GB\ton docs.example.com"],
    ["row", 0, "#limit-quota", "Limits", "null", "Age\t14 days"],
    ["row", 0, "#limit-size", "Limits", "null", "Size\t2 GB"],
  ]);
});

test("a row has the names of its columns", () => {
  const rows = recordsFromPage(pageOf(blocks), options).filter(({ type }) => type === "row");
  expect(rows.map(({ columns }) => columns)).toEqual([
    ["Limit", "Value", ""],
    ["Limit", "Value"],
    ["Limit", "Value"],
  ]);
});

test("page fields, positions and ids", () => {
  const records = recordsFromPage(pageOf(blocks), options);
  expect(records[0]).toMatchObject({
    hierarchy_lvl0: "Cache",
    hierarchy_lvl1: "Cache on docs.example.com",
    anchor: "null",
    url: "https://docs.example.com/docs/cache/overview",
  });
  expect(records.map(({ position }) => position)).toEqual(records.map((_, index) => index));
  expect(new Set(records.map(({ objectID }) => objectID)).size).toBe(records.length);
  for (const { objectID } of records) expect(objectID).toMatch(/^[\w-]+$/);
  const longer = recordsFromPage(pageOf([{ kind: "paragraph", text: "New." }, ...blocks]), options);
  expect(
    longer.find(({ hierarchy_lvl3, type }) => hierarchy_lvl3 === "Hashes" && type === "code")?.objectID,
  ).toBe(records[4]?.objectID);
});

test("a long row continues in another record", () => {
  const sentence = "The builder keeps the layers of the project on its own disk. ";
  const cells = ["--keep", sentence.repeat(16).trim(), "off"];
  const [, ...rows] = recordsFromPage(
    pageOf([
      { kind: "table", text: "", columns: ["Flag", "What it does", "Default"], rows: [{ id: "f", cells }] },
    ]),
    options,
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { content, columns, url } of rows) {
    expect(content.length).toBeLessThanOrEqual(600);
    expect(columns).toHaveLength(content.split("\t").length);
    expect(url).toMatch(/#f$/);
  }
  expect(rows.flatMap(({ columns }) => columns)).toEqual(["Flag", "What it does", "What it does", "Default"]);
  expect(rows.map(({ content }) => content.replaceAll("\t", " ")).join(" ")).toBe(cells.join(" "));
});

test("the first sentence of a section", () => {
  const records = recordsFromPage(
    pageOf([
      { kind: "heading", depth: 2, id: "a", text: "A" },
      { kind: "code", text: "x", title: null },
      { kind: "heading", depth: 3, id: "b", text: "B" },
      { kind: "paragraph", text: "Ask {{host}} e.g. now. Then wait." },
      { kind: "heading", depth: 3, id: "c", text: "C" },
      { kind: "list", text: "One item\nAnother" },
      { kind: "heading", depth: 3, id: "e", text: "exec format error" },
      { kind: "paragraph", text: "Cause. The image is of another architecture. Build it again." },
      { kind: "heading", depth: 2, id: "d", text: "D" },
    ]),
    options,
  );
  const summaries = records.filter(({ type }) => /^lvl[234]$/.test(type)).map(({ summary }) => summary);
  expect(summaries).toEqual([
    "Ask docs.example.com e.g. now.",
    "Ask docs.example.com e.g. now.",
    "One item",
    "Cause. The image is of another architecture.",
    undefined,
  ]);
});

test("a long text is cut at the ends of sentences", () => {
  const sentence = "The builder keeps the layers of the project on its own disk. ";
  const pieces = splitText(sentence.repeat(30).trim(), ". ");
  expect(pieces.length).toBeGreaterThan(1);
  for (const piece of pieces) expect(piece).toMatch(/^The .*disk\.$/s);
});

test("cutting loses nothing", () => {
  const words = fc.array(fc.string({ minLength: 1, maxLength: 700 }), { maxLength: 20 });
  fc.assert(
    fc.property(words, fc.constantFrom(". ", "\n"), (parts, separator) => {
      const text = parts.join(separator);
      const pieces = splitText(text, separator);
      expect(pieces.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(600);
    }),
  );
});
