/** The output of `npm run generate` matches the rooms' declarations, so that the documentation's table is correct. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { makeServerVariables, SERVER_VARIABLES_FILE } from "./make-server-variables.ts";

test("the table is that of the rooms", async () => {
  expect(readFileSync(join(root, SERVER_VARIABLES_FILE), "utf8")).toBe(await makeServerVariables());
});
