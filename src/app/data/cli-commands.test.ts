/** The app's checklist and samples install the CLI as documented: with the commands of `content/facts/cli.yaml`. */
import { expect, test } from "vitest";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { root } from "#server/pages/build-folders.ts";
import { installCommand, npxCommand } from "./cli-commands.ts";

test("the commands of the facts", () => {
  const origin = "https://build.acme.example";
  const { install } = loadFacts(root).facts.cli;
  expect(installCommand(origin)).toBe(fillPlaceholders(install.npm, origin));
  expect(npxCommand(origin)).toBe(fillPlaceholders(install.npx, origin));
});
