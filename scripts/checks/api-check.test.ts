/**
 * 1. The contract breaks nothing of the baseline.
 * 2. A field with a different number or type and a removed method are breaking changes; a new field is not.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { expect, test } from "vitest";
import { findBreakingChanges } from "./api-check.ts";

function withChange(file: string, from: string, to: string): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-proto-"));
  try {
    cpSync(join(root, "proto"), folder, { recursive: true });
    const path = join(folder, "millrace/v1", file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
    return findBreakingChanges(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("1. the baseline", () => expect(findBreakingChanges("proto")).toBe(""));

test("2. changes", () => {
  const change = (from: string, to: string) => withChange("project_service.proto", from, to);
  expect(change("string project_id = 1 ", "string project_id = 9 ")).toContain("break clients");
  expect(change("int32 builder_size = 3;", "string builder_size = 3;")).toContain("break clients");
  expect(change("rpc List(", "rpc Show(")).toContain("break clients");
  expect(change("string name = 2;", "string name = 2;\n  string note = 99;")).toBe("");
});
