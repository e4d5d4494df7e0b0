/**
 * With the imports that an earlier process has kept:
 * 1. A change counts, however many imports lead to it, and one in a file that nothing imports does not.
 * 2. A file that was imported before it existed counts as soon as it does; a removed file no longer does.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readSourceFiles } from "./source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "sources-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** What runs when the first file runs, with the digest of each file; kept for the next call. */
async function read(): Promise<Map<string, string | null>> {
  const sources = readSourceFiles(folder, join(folder, "imports.json"));
  const files = sources.reachable(["a.ts"]);
  await sources.keep();
  return new Map(files.map((file) => [file, sources.digest(file)]));
}

beforeEach(() => {
  write("a.ts", 'import "./b.ts";\nimport type { T } from "./type.ts";');
  write("b.ts", 'import "./c.ts";\nimport "./later.ts";');
  write("c.ts", "export const c = 1;");
  write("type.ts", "export type T = 1;");
  write("other.ts", "");
});

test("1. changes", async () => {
  const before = await read();
  expect([...before.keys()]).toEqual(["a.ts", "b.ts", "c.ts"]);
  write("other.ts", "export {};");
  write("type.ts", "export type T = 2;");
  expect(await read()).toEqual(before);
  write("c.ts", "export const c = 2;");
  const after = await read();
  expect(after.get("c.ts")).not.toBe(before.get("c.ts"));
  expect(after.get("b.ts")).toBe(before.get("b.ts"));
});

test("2. files that come and go", async () => {
  await read();
  write("later.ts", 'import "./other.ts";');
  expect([...(await read()).keys()]).toEqual(["a.ts", "b.ts", "c.ts", "later.ts", "other.ts"]);
  rmSync(join(folder, "later.ts"));
  expect([...(await read()).keys()]).toEqual(["a.ts", "b.ts", "c.ts"]);
});
