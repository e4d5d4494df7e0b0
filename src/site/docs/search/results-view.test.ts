/**
 * 1. If there are hits, they are listed, whatever is pending.
 * 2. Without hits, a stalled search or a query waiting for its first answer is `loading`, after a moment of
 *    `pending`.
 * 3. Without hits but with an answer, `none`; it stays for the first moments of the next search.
 * 4. An error is shown until a search has visibly started again, with or without hits for the same query.
 */
import { expect, it } from "vitest";
import { resultsView } from "./results-view.ts";
import type { SearchSnapshot } from "./search-store.ts";

const idle: SearchSnapshot = {
  status: "idle",
  error: null,
  hits: [],
  hasMore: false,
  total: 0,
  answeredQuery: null,
  query: null,
  isLate: false,
};
const hits = [{ objectID: "1", url: "https://site.test/docs" }];
const error = new Error("boom");

const cases: [string, Partial<SearchSnapshot>, ReturnType<typeof resultsView>][] = [
  ["hits (1)", { hits, answeredQuery: "d" }, "results"],
  [
    "hits of the last query, stalled (1)",
    { hits, answeredQuery: "d", status: "stalled", isLate: true },
    "results",
  ],
  ["nothing asked yet (2)", {}, "pending"],
  ["first search (2)", { status: "loading" }, "pending"],
  ["first search, late (2)", { status: "loading", isLate: true }, "loading"],
  ["first search, stalled (2)", { status: "stalled", isLate: true }, "loading"],
  ["stalled after an empty answer (2)", { status: "stalled", answeredQuery: "x" }, "loading"],
  ["empty answer (3)", { answeredQuery: "x" }, "none"],
  ["next search after an empty answer (3)", { status: "loading", answeredQuery: "x" }, "none"],
  ["error (4)", { status: "error", error }, "error"],
  ["a further page failed (4)", { status: "error", error, hits, answeredQuery: "d" }, "error"],
  ["retry (4)", { status: "loading", error }, "error"],
  ["late retry (4)", { status: "loading", error, isLate: true }, "loading"],
  [
    "late retry of a further page (4)",
    { status: "loading", error, isLate: true, hits, answeredQuery: "d" },
    "results",
  ],
];

it.each(cases)("%s", (_name, change, expected) => {
  expect(resultsView({ ...idle, ...change })).toBe(expected);
});
