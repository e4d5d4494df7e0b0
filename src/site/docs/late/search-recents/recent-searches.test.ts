// @vitest-environment happy-dom
/**
 * 1. The newest search is first, each is listed once regardless of case, at most eight; blank and long ones are not stored.
 * 2. Whatever is stored, the list is short and has only texts.
 * 3. One search or all can be forgotten; without searches nothing is stored; listeners are notified.
 * 4. If storage is forbidden, nothing happens.
 */
import { afterEach, expect, it, vi } from "vitest";
import {
  forgetSearch,
  forgetSearches,
  keepSearch,
  recentSearches,
  subscribeSearches,
} from "./recent-searches.ts";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it("keeps the newest first (1)", () => {
  for (const query of ["Cache", "  layer   cache ", "cache", " ", "x".repeat(121)]) keepSearch(query);
  expect(recentSearches()).toEqual(["cache", "layer cache"]);
  for (let at = 0; at < 20; at++) keepSearch(`query ${at}`);
  expect(recentSearches()).toHaveLength(8);
  expect(recentSearches()[0]).toBe("query 19");
});

it.each(["{", "null", '{"length":3}', "7", '"text"'])("reads %s as nothing (2)", (stored) => {
  localStorage.setItem("searches", stored);
  expect(recentSearches()).toEqual([]);
});

it("reads no more than it would write (2)", () => {
  const list = [
    1,
    "",
    "a",
    "a",
    { b: 1 },
    "x".repeat(121),
    ...Array.from({ length: 50 }, (_, at) => `q${at}`),
  ];
  localStorage.setItem("searches", JSON.stringify(list));
  expect(recentSearches()).toEqual(["a", "q0", "q1", "q2", "q3", "q4", "q5", "q6"]);
});

it("forgets one or all (3)", () => {
  const listener = vi.fn<() => void>();
  keepSearch("a");
  keepSearch("b");
  const stop = subscribeSearches(listener);
  forgetSearch("b");
  expect(recentSearches()).toEqual(["a"]);
  forgetSearches();
  expect(localStorage).toHaveLength(0);
  stop();
  keepSearch("c");
  expect(listener).toHaveBeenCalledTimes(2);
});

it("does without storage (4)", () => {
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("Forbidden", "SecurityError");
  });
  keepSearch("a");
  forgetSearches();
  expect(recentSearches()).toEqual([]);
});
