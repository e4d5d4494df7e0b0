/**
 * 1. A section begins at each heading of the page's highest level; text before the first heading has no anchor.
 * 2. Only the section in which a text changes gets a new hash: a paragraph, a cell, code, a deeper heading.
 * 3. The title and the description belong to the beginning.
 */
import { expect, test } from "vitest";
import { sectionsOf } from "./page-sections.ts";
import type { Block } from "../types.ts";

const heading = (depth: number, id: string): Block => ({ kind: "heading", depth, id, text: id });
const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const page = (blocks: Block[]) => ({ title: "T", description: "D", blocks });

const blocks = [
  paragraph("Intro"),
  heading(2, "one"),
  paragraph("1"),
  heading(3, "deep"),
  { kind: "code", text: "x", title: null } satisfies Block,
  heading(2, "two"),
  paragraph("2"),
];

test("anchors (1)", () => {
  expect(sectionsOf(page(blocks)).map(([anchor]) => anchor)).toEqual(["", "one", "two"]);
  expect(sectionsOf(page([heading(3, "a"), heading(3, "b")])).map(([anchor]) => anchor)).toEqual([
    "",
    "a",
    "b",
  ]);
  expect(sectionsOf(page([paragraph("only")]))).toEqual([["", expect.stringMatching(/^[\w-]{4}$/)]]);
});

const changed = (next: ReturnType<typeof page>) => {
  const before = new Set(sectionsOf(page(blocks)).map(([, hash]) => hash));
  return sectionsOf(next).flatMap(([anchor, hash]) => (before.has(hash) ? [] : [anchor]));
};

test.each([
  [0, paragraph("Intro."), [""]],
  [2, paragraph("1."), ["one"]],
  [3, heading(3, "deeper"), ["one"]],
  [4, { kind: "code", text: "x", title: "a.sh" } satisfies Block, ["one"]],
  [6, { kind: "table", text: "2", columns: [], rows: [] } satisfies Block, ["two"]],
])("block %i (2)", (at, block, anchors) => {
  expect(changed(page(blocks.with(at, block)))).toEqual(anchors);
});

test("title and description (3)", () => {
  expect(changed(page(blocks))).toEqual([]);
  expect(changed({ ...page(blocks), title: "U" })).toEqual([""]);
  expect(changed({ ...page(blocks), description: "E" })).toEqual([""]);
});
