/**
 * 1. Letters typed one after another are one search, the last one; its number of hits is the last one's.
 * 2. A query on which a reader rested also counts when they change it; a query that they passed through does not.
 * 3. Deleting letter by letter leaves nothing; an empty query is not a search.
 * 4. The same query again (another page of hits, a filter) is one search.
 * 5. Two readers who type at the same time are kept apart.
 */
import { expect, test } from "vitest";
import { createSearchJoiner, REST_MS, TYPING_MS } from "./join-searches.ts";

type Step = string | number | [reader: string, query: string];

/** Texts are typed 100 ms apart, numbers are pauses. @returns the queries that counted. */
function type(...steps: Step[]): string[] {
  let now = 1_000_000;
  const counted: string[] = [];
  const joiner = createSearchJoiner(
    ({ query, hits }) => counted.push(`${query}:${hits}`),
    () => now,
  );
  for (const step of steps) {
    if (typeof step === "number") {
      now += step;
      joiner.sweep();
      continue;
    }
    now += 100;
    const [reader, query] = typeof step === "string" ? ["one", step] : step;
    joiner.add(reader, { query, hits: query.length, address: null });
  }
  joiner.flush();
  return counted;
}

test.each<[string, Step[], string[]]>([
  ["1. letters", ["t", "tu", "tur", "turbo"], ["turbo:5"]],
  ["1. letters, slowly", ["t", 3000, "tu", 3000, "tur", 3000, "turbo"], ["turbo:5"]],
  ["1. another search later", ["turbo", TYPING_MS, "turbo cache"], ["turbo:5", "turbo cache:11"]],
  ["2. rested on it", ["turbo", REST_MS, "turb", "tur", "c", "cache"], ["turbo:5", "cache:5"]],
  ["2. passed through", ["turbo", "cache"], ["cache:5"]],
  ["2. one letter taken back", ["turbos", "turbo"], ["turbo:5"]],
  ["3. deleted", ["turbo", 2000, "turb", "tur", "tu", "t"], ["turbo:5"]],
  ["3. cleared", ["turbo", 2000, ""], ["turbo:5"]],
  ["3. empty", ["", "  "], []],
  ["4. again", ["turbo", 5000, "Turbo", 5000, " turbo "], ["turbo:5"].map(() => "turbo:7")],
  [
    "5. two",
    [
      ["one", "t"],
      ["two", "c"],
      ["one", "turbo"],
      ["two", "cache"],
    ],
    ["turbo:5", "cache:5"],
  ],
])("%s", (_name, steps, expected) => {
  expect(type(...steps)).toEqual(expected);
});
