/**
 * 1. However the output is cut into parts, a step's lines are those of its whole text.
 * 2. A line keeps its number; lines are numbered by arrival over all steps, ascending within each step.
 * 3. A carriage return restarts the line; a style continues only in the same step's next line.
 * 4. In a failed step the lines that explain the failure are marked, before and after it failed; in other steps none.
 * 5. Lines and their number have limits, and omitted lines are counted.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogLines, MAX_LINE, MAX_LINES } from "./log-lines.ts";

const linesOf = (log: LogLines, stepId: string) =>
  Array.from({ length: log.countOf(stepId) }, (_, index) => log.line(log.positionOf(stepId, index)));
const textsOf = (log: LogLines, stepId: string) => linesOf(log, stepId).map((line) => line?.text);

test("parts make the same lines as the whole (1, 2)", () => {
  const part = fc.record({
    stepId: fc.constantFrom("a", "b"),
    text: fc.stringMatching(/^[xy\n]{0,8}$/),
    at: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const log = new LogLines();
      for (const one of parts) log.append([one]);
      for (const stepId of ["a", "b"]) {
        const whole = parts.filter((one) => one.stepId === stepId).map(({ text }) => text);
        const expected = whole.join("").split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(textsOf(log, stepId)).toEqual(expected);
        const numbers = linesOf(log, stepId).map((line) => line?.number ?? 0);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        for (const [index, number] of numbers.entries()) {
          expect(log.indexIn(stepId, number - 1)).toBe(index);
          expect(log.line(number - 1)?.number).toBe(number);
        }
      }
      expect(log.count).toBe(log.countOf("a") + log.countOf("b"));
    }),
  );
});

test("a number stays while others arrive (2)", () => {
  const log = new LogLines();
  log.append([{ stepId: "a", text: "half", at: 1 }]);
  log.append([{ stepId: "b", text: "other\n", at: 2 }]);
  log.append([{ stepId: "a", text: " and half\n", at: 3 }]);
  expect(log.line(0)).toMatchObject({ number: 1, text: "half and half", at: 1 });
  expect(log.line(1)).toMatchObject({ number: 2, text: "other", stepId: "b" });
});

test("progress and colours (3)", () => {
  const log = new LogLines();
  log.append([
    { stepId: "a", text: "10 %\r50 %\r100 %\nlast\r\n\u001B[31mred\nstill\n", at: 0 },
    { stepId: "b", text: "plain\n", at: 0 },
  ]);
  expect(textsOf(log, "a")).toEqual(["100 %", "last", "\u001B[31mred", "still"]);
  log.append([
    { stepId: "c", text: "1 %\r", at: 0 },
    { stepId: "c", text: "2 %\r", at: 0 },
  ]);
  log.append([{ stepId: "c", text: "\nnext", at: 0 }]);
  expect(textsOf(log, "c")).toEqual(["2 %", "next"]);
  expect(linesOf(log, "a").at(-1)?.style.tone).toBe("error");
  expect(linesOf(log, "b").at(-1)?.style.tone).toBe("none");
});

test("lines that say why (4)", () => {
  const log = new LogLines();
  const text = "fine\nsrc/a.go:48:17: undefined: x\n";
  log.append([
    { stepId: "a", text, at: 0 },
    { stepId: "b", text, at: 0 },
  ]);
  log.markFailed("a");
  log.append([{ stepId: "a", text: "npm ERR! code 1\n", at: 1 }]);
  log.appendError("a", "process did not complete: exit code: 1", 2);
  expect(linesOf(log, "a").map((line) => line?.isError)).toEqual([false, true, true, true]);
  expect(linesOf(log, "b").map((line) => line?.isError)).toEqual([false, false]);
});

test("limits (5)", () => {
  const log = new LogLines();
  for (let part = 0; part < 30; part++) log.append([{ stepId: "a", text: "y".repeat(100_000), at: 0 }]);
  expect(log.count).toBe(1);
  expect(log.line(0)?.text.length).toBeLessThan(MAX_LINE + 30);
  log.append([{ stepId: "b", text: "x\n".repeat(MAX_LINES), at: 0 }]);
  expect(log.count).toBe(MAX_LINES);
  expect(log.dropped).toBe(1);
});
