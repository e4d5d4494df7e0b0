/*
 * 1. The page whose title was typed is 1; the same words as a section's heading come next, then as the page above it.
 * 2. Words that the heading lacks cost, additional words in it cost more, another order a little.
 * 3. The name in a page's address is a second title, after the first.
 * 4. A heading that covers the query only with those above it counts.
 * 5. Prose and the page's path do not count.
 */
import { expect, test } from "vitest";
import { Field } from "../contract/unit-fields.ts";
import { matchOf, type TestBlock } from "../testing/match.ts";
import { titleRule } from "./title.ts";

const score = (query: string, ...blocks: TestBlock[]) => titleRule.score(matchOf(query, blocks));
const title = (text: string) => ({ text, field: Field.heading, attribute: 1 });
const heading = (text: string) => ({ text, field: Field.heading, attribute: 2 });
const falling = (scores: number[]) => expect(scores).toEqual([...new Set(scores)].sort((a, b) => b - a));

test("1. page, section, page above", () => {
  expect(score("layer cache", title("layer cache"))).toBe(1);
  const above = { text: "layer cache", field: Field.page };
  falling([1, score("layer cache", heading("layer cache")), score("layer cache", above)]);
});

test("2. what is missing, more, and moved", () => {
  falling(
    ["layer cache", "cache layer", "layer", "layer x x"].map((text) => score("layer cache", title(text))),
  );
});

test("3. addresses", () => {
  const name = score("docker bake", { text: "docker bake", field: Field.name });
  falling([1, name, score("docker bake", { text: "docker bake x", field: Field.name }), 0]);
});

test("4. in context", () => {
  const alone = score("cache limits", heading("limits"));
  expect(score("cache limits", heading("limits"), { text: "cache", field: Field.page })).toBeGreaterThan(
    alone,
  );
});

test("5. other texts", () => {
  for (const field of [Field.text, Field.path, Field.term])
    expect(score("cache", { text: "cache", field })).toBe(0);
});
