/**
 * 1. The next process knows these imports and parses nothing again. Types are left out.
 * 2. A changed file, the same text in another language, and other code that reads imports are parsed again.
 * 3. A broken file of remembered imports, or a place that cannot be written, costs a parse and nothing else.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { knownImports } from "./known-imports.ts";
import { readImports } from "./read-imports.ts";

const folder = mkdtempSync(join(tmpdir(), "imports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CODE = 'import type { A } from "./type.ts";\nimport { b } from "./b.ts";\nexport * from "./b.ts";\n';

function open(path: string, reader = "first") {
  const parsed: string[] = [];
  const known = knownImports(path, reader, (file, code) => (parsed.push(file), readImports(file, code)));
  return { ...known, parsed };
}

test("1. remembered", async () => {
  const path = join(folder, "one.json");
  const before = open(path);
  expect(before.of("a.ts", "digest", () => CODE)).toEqual(["./b.ts"]);
  await before.keep();
  const after = open(path);
  expect(after.of("a.ts", "digest", () => CODE)).toEqual(["./b.ts"]);
  expect([before.parsed, after.parsed]).toEqual([["a.ts"], []]);
  const kept = readFileSync(path, "utf8");
  await after.keep();
  expect(readFileSync(path, "utf8")).toBe(kept);
});

test("2. forgotten", async () => {
  const path = join(folder, "two.json");
  const before = open(path);
  before.of("a.ts", "digest", () => CODE);
  await before.keep();
  const after = open(path);
  after.of("a.ts", "other", () => CODE);
  after.of("a.mjs", "digest", () => 'import "./c.mjs";');
  expect(after.parsed).toEqual(["a.ts", "a.mjs"]);
  const reader = open(path, "second");
  reader.of("a.ts", "digest", () => CODE);
  expect(reader.parsed).toEqual(["a.ts"]);
});

test.each(["{", '{"reader":"first","files":', "[]", "null"])("3. broken: %s", (text) => {
  const path = join(folder, "broken.json");
  writeFileSync(path, text);
  const known = open(path);
  expect(known.of("a.ts", "digest", () => CODE)).toEqual(["./b.ts"]);
});

test("3. not writable", async () => {
  writeFileSync(join(folder, "file"), "");
  const path = join(folder, "file", "imports.json");
  const known = open(path);
  expect(known.of("a.ts", "digest", () => CODE)).toEqual(["./b.ts"]);
  await expect(known.keep()).resolves.toBeUndefined();
  expect(existsSync(path)).toBe(false);
});
