/** The documentation quotes the limits of agents as they are. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "./limits.ts";

const facts = readFileSync(new URL("../../../content/facts/limits.yaml", import.meta.url), "utf8");

test("the facts are the limits", () => {
  const shown = [...facts.matchAll(/- id: mcp\.(\S+)\n[\s\S]*?value: "?([^"\n]+)/g)];
  expect(Object.fromEntries(shown.map(([, id, value]) => [id, value]))).toEqual({
    hits: String(limits.MAX_HITS),
    part: limits.MAX_PART_LENGTH.toLocaleString("en"),
    resources: String(limits.RESOURCES_PER_LIST),
    prompt: limits.MAX_PROMPT_TEXT_LENGTH.toLocaleString("en"),
  });
  expect(facts).toContain(`description: Without a number, ${limits.DEFAULT_HITS}.`);
});
