/**
 * 1. Only the last of successive answers is a search, once no other came for 1.5 seconds.
 * 2. Settling counts a waiting search immediately, and nothing twice.
 * 3. The same query twice in a row is one search; after another query it counts again.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSearchSettler } from "./settle-search.ts";

const settled = vi.fn<(search: { query: string; hits: number }) => void>();
const queries = () => settled.mock.calls.map(([{ query }]) => query);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  settled.mockClear();
});

describe("a settled search", () => {
  it("(1) is the one that the reader stopped at", () => {
    const settler = createSearchSettler(settled);
    for (const query of ["t", "tu", "tur", "turbo"]) {
      settler.add({ query, hits: 3 });
      vi.advanceTimersByTime(1000);
    }
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(settled.mock.calls).toEqual([[{ query: "turbo", hits: 3 }]]);
  });

  it("(2) counts at once when the reader clicks, and not again", () => {
    const settler = createSearchSettler(settled);
    settler.settle();
    settler.add({ query: "turbo", hits: 3 });
    settler.settle();
    settler.settle();
    vi.advanceTimersByTime(5000);
    expect(queries()).toEqual(["turbo"]);
  });

  it("(3) is not counted twice for more results of the same query", () => {
    const settler = createSearchSettler(settled);
    for (const query of ["turbo", "turbo", "cache", "turbo"]) {
      settler.add({ query, hits: 3 });
      settler.settle();
    }
    expect(queries()).toEqual(["turbo", "cache", "turbo"]);
  });
});
