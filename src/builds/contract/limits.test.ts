/** The limits in the documentation match those of builds. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { MAX_OPEN_BUILDS, MAX_OPEN_BUILDS_OF_ORGANIZATION } from "./limits.ts";
import { CROWDED_MEMORY, MAX_BUILDERS_OF_ONE, MAX_WARM_BUILDERS, MOST_MEMORY } from "../machine/limits.ts";

test("limits", () => {
  const facts = parse(readFileSync("content/facts/limits.yaml", "utf8")) as {
    limits: { id: string; value: string }[];
  };
  const valueOf = (id: string) => facts.limits.find((limit) => limit.id === id)?.value;
  expect(valueOf("builder.machine")).toBe(String(MAX_WARM_BUILDERS));
  expect(valueOf("builder.organization")).toBe(String(MAX_BUILDERS_OF_ONE));
  expect(valueOf("builder.machine-memory")).toBe(`${MOST_MEMORY * 100} % of the machine's`);
  expect(valueOf("builder.crowded-memory")).toBe(`${CROWDED_MEMORY * 100} %`);
  expect(valueOf("build.open")).toBe(String(MAX_OPEN_BUILDS));
  expect(valueOf("build.open-organization")).toBe(MAX_OPEN_BUILDS_OF_ORGANIZATION.toLocaleString("en-US"));
});
