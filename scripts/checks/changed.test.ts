/**
 * 1. Changed are files that differ from a commit and files that are new; not those that were removed, nor ignored ones.
 * 2. A commit that does not exist is said.
 * 3. Only what has changed is tested, and quick checks come with it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { changedChecks, changedFiles } from "./changed.ts";

test("1. and 3. a new file", async () => {
  const file = `scripts/checks/new-${process.pid}.ts`;
  expect(changedFiles("HEAD")).not.toContain(file);
  writeFileSync(join(root, file), "export {};\n");
  onTestFinished(() => rmSync(join(root, file), { force: true }));
  expect(changedFiles("HEAD")).toContain(file);
  expect((await changedChecks("HEAD")).map(({ name }) => name)).toEqual([
    "format",
    "lint",
    "types",
    "boundaries",
    "named paths",
    "plain english",
    "unit",
  ]);
  rmSync(join(root, file));
  expect(changedFiles("HEAD")).not.toContain(file);
});

test("2. no such commit", () => {
  expect(() => changedFiles("no-such-commit")).toThrow(/^git diff failed: .*no-such-commit/s);
});
