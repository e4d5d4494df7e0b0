// @vitest-environment happy-dom
/**
 * 1. A visit is stored with its day and its sections, and read back; a later visit replaces it.
 * 2. At most sixty pages are stored, the ones read last; at most two hundred sections of a page.
 * 3. Other values in the storage are ignored, and never cause an error.
 * 4. When switched off, all visits are forgotten and none is stored, until switched on again.
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { areVisitsOff, keepVisit, MAX_VISITS, setVisits, visitedPages, visitOf } from "./visits.ts";

const DAY = Date.UTC(2026, 10, 24, 17);

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it("keeps a visit (1)", () => {
  expect(visitOf("/docs/faq")).toBeNull();
  keepVisit("/docs/faq", ["abcd", "ef_-"], DAY);
  expect(visitOf("/docs/faq")).toEqual({
    day: new Date(Date.UTC(2026, 10, 24)),
    hashes: new Set(["abcd", "ef_-"]),
  });
  keepVisit("/docs/faq", ["1234"], DAY + 86_400_000);
  expect(visitOf("/docs/faq")?.hashes).toEqual(new Set(["1234"]));
  expect(visitedPages()).toEqual(["/docs/faq"]);
});

it("has bounds (2)", () => {
  for (let n = 0; n < MAX_VISITS; n += 1) keepVisit(`/docs/${String(n)}x`, ["abcd"], DAY);
  // Read again, so it is the last page now.
  keepVisit("/docs/0x", ["abcd"], DAY);
  keepVisit("/docs/new", Array(300).fill("abcd"), DAY);
  expect(visitedPages()).toHaveLength(MAX_VISITS);
  expect(visitedPages().slice(-2)).toEqual(["/docs/0x", "/docs/new"]);
  expect(visitedPages()).not.toContain("/docs/1x");
  expect(localStorage.getItem("visits")?.length).toBeLessThan(3000);
});

it.each([
  "",
  "{",
  "null",
  "7",
  "[]",
  '{"/docs/a":7,"/docs/b":[1],"/docs/c":["1","abcd"],"/docs/d":[-1,"abcd"],"/docs/e":[1.5,"abcd"]}',
  '{"/docs/a":[1,"<b>"],"/docs/b":[1e9,"abcd"],"javascript:x":[1,"abcd"],"__proto__":[1,"abcd"]}',
  JSON.stringify({ "/docs/a": [1, "abcd".repeat(201)] }),
])("leaves out %j (3)", (stored) => {
  localStorage.setItem("visits", stored);
  expect(visitedPages()).toEqual([]);
  expect(visitOf("/docs/a")).toBeNull();
  expect(visitOf("constructor")).toBeNull();
  keepVisit("/docs/a", ["abcd"], DAY);
  expect(visitedPages()).toEqual(["/docs/a"]);
});

it("does without storage (3)", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("forbidden");
    },
  });
  keepVisit("/docs/a", ["abcd"], DAY);
  expect([visitOf("/docs/a"), visitedPages(), areVisitsOff()]).toEqual([null, [], true]);
});

it("can be switched off (4)", () => {
  keepVisit("/docs/faq", ["abcd"], DAY);
  setVisits(false);
  keepVisit("/docs/faq", ["abcd"], DAY);
  expect([areVisitsOff(), visitedPages()]).toEqual([true, []]);
  setVisits(true);
  keepVisit("/docs/faq", ["abcd"], DAY);
  expect([areVisitsOff(), visitedPages()]).toEqual([false, ["/docs/faq"]]);
});
