/** 1. The limit is read in Linux's format, including "none". 2. Without such a file the limit is unknown, and nothing fails. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileCount, openFileLimit } from "./open-files.ts";

test.each([
  ["Max open files            1024                 524288               files", 1024],
  ["Max open files            unlimited            unlimited            files", Number.POSITIVE_INFINITY],
  ["Max processes             1024                 1024                 processes", null],
])("1. %s", (line, expected) => {
  const file = join(mkdtempSync(join(tmpdir(), "limits-")), "limits");
  writeFileSync(file, `Limit                     Soft Limit           Hard Limit           Units\n${line}\n`);
  expect(openFileLimit(file)).toBe(expected);
});

test("2. elsewhere", () => {
  expect([openFileLimit("/nowhere"), openFileCount("/nowhere")]).toEqual([null, null]);
});
