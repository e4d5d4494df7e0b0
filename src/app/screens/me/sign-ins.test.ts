/** The profile's sentence about browsers is the one that the documentation quotes from the facts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { root } from "#server/pages/build-folders.ts";

test("how long a browser stays signed in", () => {
  const { limits } = loadFacts(root).facts.limits;
  const valueOf = (id: string) => limits.find((limit) => limit.id === id)?.value;
  const source = readFileSync(new URL("sign-ins.tsx", import.meta.url), "utf8");
  expect(source).toContain(
    `A browser stays signed in for ${valueOf("token.browser")} after its last use, and for ${valueOf("token.browser-absolute")} at most.`,
  );
});
