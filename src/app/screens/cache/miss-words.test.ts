/** 1. Each reason is one sentence, even an unknown, newer one. 2. Differences show the old and the new value. */
import { expect, test } from "vitest";
import type { CacheMiss } from "#api/gen/json-types.ts";
import { describeDifference, explainMiss } from "./miss-words.ts";

const miss = (parts: Partial<CacheMiss>): CacheMiss => ({
  key: "ac/1",
  times: "1",
  reason: "new",
  target: "",
  mnemonic: "",
  invocation: "",
  removed_because: "",
  nearest_key: "",
  differences: [],
  ...parts,
});
const LANG = { kind: "environment", name: "LANG", before: "", after: "C" };

test("1. reasons", () => {
  expect(explainMiss(miss({ reason: "removed", removed_because: "quota" }))).toBe(
    "It was here and was removed to stay within the quota.",
  );
  expect(explainMiss(miss({ reason: "removed", removed_because: "moon" }))).toBe(
    "It was here and was removed since.",
  );
  expect(explainMiss(miss({ reason: "changed", differences: [LANG] }))).toMatch(/:$/);
  const [nearest_at, missed_at] = ["2026-01-01T09:48:00Z", "2026-01-01T10:00:00Z"];
  const times = { nearest_at, missed_at };
  expect(explainMiss(miss({ reason: "changed", ...times }))).toBe(
    "The same work had a result 12 minutes before under another key.",
  );
  const commit = { kind: "commit", name: "", before: "6572b0356f58", after: "9d01c6b14b33" };
  expect(explainMiss(miss({ reason: "new", ...times, differences: [commit] }))).toBe(
    "There is no similar entry: this work is new here. Another commit stored its results 12 minutes before:",
  );
  for (const reason of ["new", "incomplete", "changed", "something else"])
    expect(explainMiss(miss({ reason }))).toMatch(/^[A-Z].+\.$/);
});

test("2. differences", () => {
  expect(describeDifference(LANG)).toEqual({ what: "environment LANG", change: "nothing, now C" });
  expect(describeDifference({ kind: "argument", name: "", before: "-O2", after: "-O3" })).toEqual({
    what: "argument",
    change: "-O2, now -O3",
  });
  const hidden = { kind: "environment", name: "NPM_TOKEN", before: "(hidden)", after: "(hidden)" };
  expect(describeDifference(hidden).change).toBe("differs, its value is hidden");
});
