/** Leftovers of a killed build are removed by the next build; a build that still runs keeps its folder. */
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeLeftOver } from "./site-step.ts";

test("folders of ended builds are removed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cache-"));
  // Larger than any process id.
  for (const name of ["social", "site-99999999", `site-${process.pid}`])
    mkdirSync(join(folder, name, "client"), { recursive: true });
  await removeLeftOver(folder);
  expect(readdirSync(folder).sort()).toEqual([`site-${process.pid}`, "social"]);
});
