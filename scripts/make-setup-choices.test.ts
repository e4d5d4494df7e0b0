/** The browser's choices match the facts; otherwise `npm run generate` was forgotten. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/build-folders.ts";
import { makeSetupChoices, SETUP_CHOICES_FILE } from "./make-setup-choices.ts";

// Only Prettier's line breaks may differ.
const withoutLayout = (text: string) => text.replace(/\s|,(?=\s*[\]}])/g, "").replaceAll(/"(\w+)":/g, "$1:");

test("the list of the facts", () => {
  const written = readFileSync(join(root, SETUP_CHOICES_FILE), "utf8");
  expect(withoutLayout(written)).toBe(withoutLayout(makeSetupChoices()));
});
