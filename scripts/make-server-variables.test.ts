/** What `npm run generate` has written is what the rooms declare, so that the documentation's table says what the server does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/build-folders.ts";
import { makeServerVariables, SERVER_VARIABLES_FILE } from "./make-server-variables.ts";

test("the table is that of the rooms", async () => {
  expect(readFileSync(join(root, SERVER_VARIABLES_FILE), "utf8")).toBe(await makeServerVariables());
});
