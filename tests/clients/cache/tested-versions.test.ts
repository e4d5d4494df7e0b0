/** The versions that the pages call tested are those that the tests beside this file install. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "#server/build-folders.ts";

const factsSchema = z.object({ tools: z.array(z.object({ id: z.string(), tested: z.string() })) });
const facts = factsSchema.parse(parse(readFileSync(join(root, "content/facts/cache.yaml"), "utf8")));
/** Go is the machine's own. */
const installed = facts.tools.filter(({ id }) => id !== "gocache");

test.each(installed)("$id $tested", ({ id, tested }) => {
  const source = readFileSync(join(import.meta.dirname, `${id}.test.ts`), "utf8");
  const versions = tested.match(/\d[\d.]+\d/g) ?? [];
  expect(versions).not.toEqual([]);
  for (const version of versions) expect(source).toContain(version);
});
