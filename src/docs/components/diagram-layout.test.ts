/**
 * Properties of a diagram's layout, for any set of arrows:
 * 1. Every node has one box, every arrow one arrow head, every label its text.
 * 2. Boxes do not overlap each other or a label, and lie inside the drawing.
 * 3. With words of usual length it is at most 390 pixels wide, so it fits a phone.
 * 4. An only child is placed straight below; several children are indented.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { layoutDiagram } from "./diagram-layout.ts";
import type { Edge } from "./diagram-tree.ts";

const names = fc.constantFrom(
  "laptop",
  "builder",
  "layer cache",
  "registry",
  "your machine or CI job",
  "job",
  "key",
);
const labels = fc.constantFrom(
  "",
  "new layers",
  "changed files of the build context",
  "--push or --save",
  "hit",
);
const edges = fc.array(fc.record({ from: names, to: names, label: labels }), { minLength: 1, maxLength: 9 });

const words = (lines: string[]) => lines.join(" ");

test("everything is drawn once", () => {
  fc.assert(
    fc.property(edges, (given) => {
      const { boxes, arrows, labels: texts } = layoutDiagram(given);
      const nodes = [...new Set(given.flatMap(({ from, to }) => [from, to]))];
      expect(boxes.map(({ lines }) => words(lines)).sort()).toEqual(nodes.sort());
      expect(arrows).toHaveLength(given.length);
      const wanted = given.map(({ label }) => label).filter((label) => label !== "");
      expect(texts.map(({ lines }) => words(lines)).sort()).toEqual(wanted.sort());
    }),
  );
});

test("nothing overlaps and everything is inside", () => {
  fc.assert(
    fc.property(edges, (given) => {
      const { boxes, labels: texts, width, height } = layoutDiagram(given);
      const rows = [
        ...boxes.map(({ top, height: tall }) => [top, top + tall] as const),
        ...texts.map(({ y, lines }) => [y - 13, y - 13 + lines.length * 18] as const),
      ].sort(([a], [b]) => a - b);
      rows.forEach(([, end], index) => expect(rows[index + 1]?.[0] ?? Infinity).toBeGreaterThanOrEqual(end));
      for (const { left, top, width: wide, height: tall } of boxes) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + wide).toBeLessThanOrEqual(width);
        expect(top + tall).toBeLessThanOrEqual(height);
      }
    }),
  );
});

test("fits a phone", () => {
  fc.assert(
    fc.property(
      edges.filter((given) => given.length <= 6),
      (given) => {
        expect(layoutDiagram(given).width).toBeLessThanOrEqual(390);
      },
    ),
  );
});

test("a chain is straight, a fan is indented", () => {
  const chain: Edge[] = [
    { from: "a", to: "b", label: "" },
    { from: "b", to: "c", label: "" },
    { from: "b", to: "d", label: "" },
  ];
  const left = new Map(layoutDiagram(chain).boxes.map((box) => [words(box.lines), box.left]));
  expect(left.get("b")).toBe(left.get("a"));
  expect(left.get("c")).toBeGreaterThan(left.get("b") ?? Infinity);
  expect(left.get("d")).toBe(left.get("c"));
});
