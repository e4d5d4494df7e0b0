/** The browser's choices match the facts; otherwise `npm run generate` was forgotten. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { makeSetupChoices, SETUP_CHOICES_FILE } from "./make-setup-choices.ts";

test("the list of the facts", async () => {
  const written = readFileSync(join(root, SETUP_CHOICES_FILE), "utf8");
  expect(written).toBe(await makeSetupChoices());
});
