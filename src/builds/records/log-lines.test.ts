/**
 * 1. However the bytes of a step's output are cut, the lines are the same; characters of several bytes stay whole.
 * 2. A line that is redrawn is kept in its last form; a line that is too long is cut.
 * 3. Packed and unpacked lines are the same, with their numbers, in blocks of limited size.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogLine } from "../contract/builds.ts";
import { MAX_BLOCK_LINES, MAX_LINE_LENGTH } from "../contract/limits.ts";
import { packLines, unpackBlock } from "./log-blocks.ts";
import { createLineSplitter } from "./split-lines.ts";

const text = fc.string({ unit: fc.constantFrom("a", "ü", "漢", "🦊", "\n", "\r", " ") });

function split(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const splitter = createLineSplitter();
  const lines: string[] = [];
  let from = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  )) {
    lines.push(...splitter.push(bytes.subarray(from, cut)));
    from = cut;
  }
  return [...lines, ...splitter.end()];
}

test("1. cut anywhere", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (output, cuts) => {
      const bytes = new TextEncoder().encode(output);
      expect(split(bytes, cuts)).toEqual(split(bytes, []));
    }),
  );
});

test("2. drawn again, and too long", () => {
  const bytes = new TextEncoder().encode(`10%\r50%\r100%\ndone\r\n${"x".repeat(3 * MAX_LINE_LENGTH)}\nend`);
  const [drawn, ended, long, last] = split(bytes, []);
  expect([drawn, ended, last]).toEqual(["100%", "done", "end"]);
  expect(long).toBe(`${"x".repeat(MAX_LINE_LENGTH)} …`);
});

test("3. packed and unpacked", () => {
  const lines = Array.from({ length: 2 * MAX_BLOCK_LINES + 3 }, (_, at): LogLine => {
    const step = `#${at % 7}`;
    return {
      sequence: at + 5,
      step,
      stepId: `sha256:${at % 7}`,
      stream: "stdout",
      text: `line ${at} ü`,
      time: at,
    };
  });
  const blocks = packLines(lines);
  expect(blocks.map(({ firstLine }) => firstLine)).toEqual([5, 5 + MAX_BLOCK_LINES, 5 + 2 * MAX_BLOCK_LINES]);
  expect(blocks.flatMap(unpackBlock)).toEqual(lines);
});
