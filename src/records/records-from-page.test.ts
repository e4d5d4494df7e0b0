/**
 * Properties of the records of a page:
 * 1. The page is first (type lvl1, level 100), then one record per heading and block, positions from 0 without gaps.
 * 2. Text stands under the headings above it; a deeper heading ends where a higher one starts; absent levels are "null".
 * 3. Ids are unique and do not change when text elsewhere in the page does.
 * 4. Placeholders are replaced; urls are absolute and carry the anchor.
 * 5. Cutting a long text loses nothing but white space and gives pieces of at most 600 characters.
 * 6. A table row with an anchor starts a record, which takes the rows below it.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Block, Page } from "#content/types.ts";
import { recordsFromPage, splitText } from "./records-from-page.ts";

const options = { origin: "https://docs.example.com", section: "Cache" };

function pageOf(blocks: Block[]): Page {
  return {
    path: "/docs/cache/overview",
    file: "content/docs/cache/overview.mdx",
    title: "Cache on {{host}}",
    navTitle: "Cache",
    description: "At {{origin}}.",
    part: "none",
    availability: "available",
    isPreviewHead: false,
    type: "explain",
    html: "",
    markdown: "",
    headings: [],
    blocks,
    anchors: [],
    renamed: {},
    keywords: [],
    links: [],
    images: [],
    samples: [],
    prose: [],
    updated: null,
  };
}

const blocks: Block[] = [
  { kind: "paragraph", text: "Intro." },
  { kind: "heading", depth: 2, id: "keys", text: "Keys" },
  { kind: "heading", depth: 3, id: "hashes", text: "Hashes" },
  { kind: "code", text: "curl {{origin}}", title: "a.sh" },
  { kind: "heading", depth: 2, id: "limits", text: "Limits" },
  {
    kind: "table",
    text: "Limit | Value\nQuota | 50 GB\nAge | 14 days\nSize | 2 GB",
    rows: ["limit-quota", null, "limit-size"],
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
    ["content", 0, "#limit-quota", "Limits", "null", "Quota | 50 GB\nAge | 14 days"],
    ["content", 0, "#limit-size", "Limits", "null", "Size | 2 GB"],
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
