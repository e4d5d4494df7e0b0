/**
 * 1. A search finds what a plain search of the shown text finds, however it is sliced.
 * 2. Colours inside a word do not hide it; the number of matches has a limit.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogLines } from "./log-lines.ts";
import { findIn, MAX_MATCHES, normalize, searchOn } from "./search-log.ts";

test("the same as a plain search (1)", () => {
  const lines = fc.array(fc.stringMatching(/^[abA]{0,9}$/), { maxLength: 250 });
  fc.assert(
    fc.property(lines, fc.stringMatching(/^[abA]{1,3}$/), (texts, query) => {
      const log = new LogLines();
      log.append(texts.map((text) => ({ stepId: "a", text: `${text}\n`, at: 0 })));
      const needle = normalize(query);
      let slice = searchOn(log, needle, { matches: [], next: 0 }, () => true);
      while (slice.next < log.count) slice = searchOn(log, needle, slice, () => true);
      const expected = texts.flatMap((text, index) =>
        [...text.matchAll(new RegExp(needle, "gi"))].map((match) => ({
          number: index + 1,
          start: match.index,
        })),
      );
      expect(slice.matches).toEqual(expected);
    }),
  );
});

test("colours, letters that grow, and the limit (2)", () => {
  expect(findIn("un\u001B[31mdef\u001B[0mined", "undefined")).toEqual([0]);
  expect(findIn("İİ undefined", "undefined")).toEqual([3]);
  expect(findIn("x", "")).toEqual([]);
  const log = new LogLines();
  log.append([{ stepId: "a", text: "x".repeat(MAX_MATCHES + 5), at: 0 }]);
  expect(searchOn(log, "x", { matches: [], next: 0 }, () => false).matches).toHaveLength(MAX_MATCHES);
});
