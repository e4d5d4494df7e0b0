/** The versions that the pages call tested are those that the tests of this folder install. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "#server/build-folders.ts";
import { TESTED } from "./tools.ts";

const factsSchema = z.object({ tools: z.array(z.object({ id: z.string(), tested: z.string() })) });
const facts = factsSchema.parse(parse(readFileSync(join(root, "content/facts/cache.yaml"), "utf8")));
/** Go is the machine's own. */
const installed = facts.tools.filter(({ id }) => id !== "gocache");

const versionsOf = new Map<string, readonly string[]>(Object.entries(TESTED));

test.each(installed)("$id $tested", ({ id, tested }) => {
  expect(tested.match(/\d[\d.]+\d/g)).toEqual(versionsOf.get(id));
});
