/**
 * 1. The main column never gets less than its minimum, however many columns there are, and however much they want.
 * 2. A column never gets less than its own minimum, nor more than it wants.
 * 3. The table is as wide as its frame as long as the minimum widths fit; only beyond that it is wider.
 * 4. Where there is room, the main column gets a quarter of it.
 */
import { describe, expect, test } from "vitest";
import { type ColumnNeed, planColumns } from "./column-widths.ts";

const rigid = (width: number): ColumnNeed => ({ wanted: width, least: width });
/** The columns of the list of builds, with long branches and names. */
const BUILDS = [
  rigid(116),
  { wanted: 180, least: 88 },
  { wanted: 175, least: 88 },
  rigid(81),
  { wanted: 247, least: 88 },
  rigid(73),
  { wanted: 338, least: 88 },
  rigid(81),
  rigid(83),
];
const mainOf = (needs: readonly ColumnNeed[], width: number, mainLeast = 180) => {
  const { widths, tableLeast } = planColumns(needs, { width, mainLeast });
  const table = Math.max(width, tableLeast);
  return { widths, table, main: table - widths.reduce((sum, each) => sum + each, 0) };
};

describe("columns of a virtual table", () => {
  test.each([1154, 994, 738, 584, 100, 0])("1. and 2. at %i pixels", (width) => {
    const { main, widths } = mainOf(BUILDS, width);
    expect(main).toBeGreaterThanOrEqual(180);
    for (const [index, each] of widths.entries()) {
      expect(each).toBeGreaterThanOrEqual(BUILDS[index]?.least ?? 0);
      expect(each).toBeLessThanOrEqual(BUILDS[index]?.wanted ?? 0);
    }
  });

  test("3. sideways only when it has to", () => {
    expect(mainOf(BUILDS, 994).table).toBe(994);
    expect(mainOf(BUILDS, 966).table).toBe(966);
    expect(mainOf(BUILDS, 965)).toMatchObject({ table: 966, main: 180 });
    // With letters of twice the size.
    expect(mainOf(BUILDS, 994, 360)).toMatchObject({ table: 1146, main: 360 });
  });

  test("4. a quarter of the room", () => {
    const { main, table } = mainOf(BUILDS, 1154);
    expect(table).toBe(1154);
    expect(main).toBeGreaterThanOrEqual(300);
    // Extra room is shared by all columns.
    const { main: wide, widths } = mainOf([rigid(100), { wanted: 100, least: 88 }], 1154);
    expect(widths).toEqual([323, 323]);
    expect(wide).toBe(508);
    expect(mainOf([], 500).main).toBe(500);
  });
});
