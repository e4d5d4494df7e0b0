/** Each row of the threat model (decision 009) names tests that are there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";

test("tests of the threat model", () => {
  const rows = readFileSync(join(root, "decisions/009-threat-model.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  const cells = rows.map((row) => row.split("|")[5]!);
  expect(cells.length).toBeGreaterThan(50);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  expect(cells.filter((cell) => !/`[^`]+`/.test(cell))).toEqual([]);
  const tests = ["src", "scripts", "tests"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => `/${folder}/${file.toString()}`),
    )
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file));
  // `kills/*` are all of a folder; `every-width` and its like stand between a name and its end.
  const missing = named.filter(
    (name) => !tests.some((file) => file.includes(`/${name}.`.replace(/\*\.$/, ""))),
  );
  expect(missing).toEqual([]);
});
