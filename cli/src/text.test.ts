/**
 * 1. Whatever a server sends, a clean text has no character that a terminal acts on, and cleaning it again changes nothing.
 * 2. Clean JSON has the same value, and none of these characters.
 * 3. A cut text is never wider than requested; wide characters, marks and emoji count as on terminals.
 * 4. A table fits its width whatever the cells are, with the first column whole; without a width nothing is cut.
 * 5. An RFC 4180 reader restores the records from CSV.
 * 6. A typo finds its command; other words find none.
 * 7. A message of several lines keeps its lines, and the end of a build adds no other lines, whatever names the server sends.
 */
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCsv } from "./output.ts";
import { formatTable } from "./table.ts";
import { formatEnd } from "./builds/prepare.ts";
import { BuildSchema } from "./client.ts";
import { cleanJson, cleanLines, cleanText, cutText, displayWidth, nearest } from "./text.ts";

// oxlint-disable-next-line no-control-regex
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069]/;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\u001b",
      "\u009b",
      "[",
      "]",
      "0",
      ";",
      "m",
      "\u0007",
      "\u001b\\",
      "\r",
      "\n",
      "\u202e",
      "\u0085",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});

test("1. clean texts", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const clean = cleanText(text);
      expect(clean).not.toMatch(ACTIVE);
      expect(cleanText(clean)).toBe(clean);
    }),
  );
  expect(cleanText("a\u001b[31mb\u001b[0m\u001b]8;;http://x\u0007c\u009b2Jd\te\n")).toBe("abcd e ");
});

test("2. clean JSON", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const json = cleanJson({ text });
      expect(json).not.toMatch(ACTIVE);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});

test("3. widths", () => {
  expect(displayWidth("web")).toBe(3);
  expect(displayWidth("日本")).toBe(4);
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("👩‍👩‍👧")).toBe(2);
  expect(cutText("日本語", 5)).toBe("日本…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(displayWidth(cutText(cleanText(text), width))).toBeLessThanOrEqual(width);
    }),
  );
});

test("4. tables", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 40 }).map(cleanText);
  const rows = fc.array(fc.tuple(fc.constant("prj_7q4hx2n9ds"), cell, cell, cell), { maxLength: 5 });
  const headings = ["ID", "NAME", "LAST USED", "EXPIRES"];
  fc.assert(
    fc.property(rows, fc.integer({ min: 26, max: 120 }), (cells, width) => {
      const heading = (text: string) => text;
      for (const line of formatTable(headings, cells, { width, heading }).split("\n"))
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const whole = formatTable(headings, cells, { width: undefined, heading });
      expect(whole.split("\n")).toHaveLength(cells.length + 2);
      for (const row of cells) for (const text of row) expect(whole).toContain(text.trimEnd());
    }),
  );
});

test("5. CSV", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1 }), (rows) => {
      const csv = formatCsv(rows.map(([a, b]) => ({ a, b })));
      expect(readCsv(csv)).toEqual([["a", "b"], ...rows.map((row) => row.map(cleanText))]);
    }),
  );
});

function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("6. typos", () => {
  const commands = ["login", "logout", "projects", "tokens", "whoami"];
  expect(nearest("projcets", commands)).toBe("projects");
  expect(nearest("lgoin", commands)).toBe("login");
  expect(nearest("whoamI", commands)).toBe("whoami");
  expect(nearest("deploy", commands)).toBeUndefined();
  expect(nearest("x", commands)).toBeUndefined();
});

test("7. messages", () => {
  expect(cleanLines("one\u001b[2J\ntwo\u009b1m\r")).toBe("one\ntwo ");
  fc.assert(
    fc.property(hostile, fc.constantFrom("rawjson", "quiet", undefined), (text, mode) => {
      expect(cleanLines(text).replaceAll("\n", "")).not.toMatch(ACTIVE);
      const build = create(BuildSchema, { id: text, state: text, error: text });
      const said = formatEnd(build, mode, { target: text, images: [text] });
      expect(said.split("\n")).toHaveLength(2);
      expect(said.slice(0, -1)).not.toMatch(ACTIVE);
    }),
  );
});
