/** 1. Each reason is one sentence, also one that is newer than this page. 2. Differences say what was and what is. */
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
    "It was here, and was removed to stay within the quota.",
  );
  expect(explainMiss(miss({ reason: "removed", removed_because: "moon" }))).toBe(
    "It was here, and was removed since.",
  );
  expect(explainMiss(miss({ reason: "changed", differences: [LANG] }))).toMatch(/:$/);
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
