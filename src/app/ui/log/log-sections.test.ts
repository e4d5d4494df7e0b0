/**
 * 1. The rows equal those of a list that is built the simple way, row by row; every line is found at its row, and every row at its height.
 * 2. Consecutive cached steps without output share one head; waiting steps have none.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogLines } from "./log-lines.ts";
import {
  countRows,
  HEAD_HEIGHT,
  LINE_HEIGHT,
  type LogStep,
  makeSections,
  PART_LENGTH,
  ROW_LENGTH,
  rowAt,
  rowAtTop,
  rowOf,
  topOfRow,
} from "./log-sections.ts";

const step = (id: string, state: LogStep["state"] = "worked"): LogStep => ({
  id,
  number: 1,
  title: id,
  stage: "",
  state,
  start: 0,
  worked: 1,
  exitCode: null,
});

const IDS = ["a", "b", "c"];
const part = fc.record({
  stepId: fc.constantFrom(...IDS),
  text: fc.constantFrom("x\n", "x\ny\n", `${"z".repeat(ROW_LENGTH * 3)}\n`),
  at: fc.constant(0),
});

test("the same as the plain list (1)", () => {
  const input = fc.tuple(fc.array(part, { maxLength: 12 }), fc.subarray(IDS), fc.uniqueArray(fc.nat(14)));
  fc.assert(
    fc.property(input, ([parts, open, numbers]) => {
      const log = new LogLines();
      log.append(parts);
      const expanded = new Set(numbers);
      const sections = makeSections({
        steps: IDS.map((id) => step(id)),
        log,
        isOpen: (key) => open.includes(key),
        expanded,
      });
      const plain: string[] = [];
      for (const id of IDS) {
        plain.push(`head ${id}`);
        if (!open.includes(id)) continue;
        for (let index = 0; index < log.countOf(id); index++) {
          const line = log.line(log.positionOf(id, index));
          const parts = expanded.has(line?.number ?? 0)
            ? Math.ceil((line?.text.length ?? 0) / PART_LENGTH)
            : 1;
          for (let one = 0; one < parts; one++) plain.push(`line ${line?.number} ${one}`);
        }
      }
      const rows = Array.from({ length: countRows(sections) }, (_, index) => rowAt(sections, log, index));
      expect(
        rows.map((row) =>
          row?.kind === "head" ? `head ${row.section.key}` : `line ${row?.line.number} ${row?.part}`,
        ),
      ).toEqual(plain);
      for (const [index, row] of rows.entries())
        if (row?.kind === "line") expect(rowOf(sections, log, row.line, row.part)).toBe(index);
      expect(rowAt(sections, log, rows.length)).toBeNull();
      let top = 0;
      for (const [index, row] of rows.entries()) {
        const height = row?.kind === "head" ? HEAD_HEIGHT : LINE_HEIGHT;
        expect(topOfRow(sections, index)).toBe(top);
        expect([rowAtTop(sections, top), rowAtTop(sections, top + height - 1)]).toEqual([index, index]);
        top += height;
      }
      expect(topOfRow(sections, rows.length)).toBe(top);
    }),
  );
});

test("cached steps are one head (2)", () => {
  const log = new LogLines();
  log.append([{ stepId: "e", text: "x\n", at: 0 }]);
  const steps = [
    step("a", "cached"),
    step("b", "cached"),
    step("c"),
    step("d", "waiting"),
    step("e", "cached"),
  ];
  const sections = makeSections({ steps, log, isOpen: () => true, expanded: new Set() });
  expect(sections.map((section) => section.steps.map(({ id }) => id).join())).toEqual(["a,b", "c", "e"]);
});
