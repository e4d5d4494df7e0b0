/**
 * 1. An attack that was not tried, in whole or in part, has not held.
 * 2. Under CI, as root on Linux, it fails when it takes nothing but root's rights; elsewhere it does not.
 * 3. Attacks that were not tried are counted apart, by name.
 * 4. Each attack that needs a disk says that it was not tried where none can be mounted.
 */
import { expect, test, vi } from "vitest";
import type { Stage } from "./attack.ts";
import { fullDisk } from "./attacks/28-full-disk.ts";
import { powerCuts } from "./attacks/36-power-cuts.ts";
import { openSmallDisk } from "./full-disk.ts";
import { openPowerDisk } from "./power-disk.ts";
import { openTheatre } from "./stage.ts";
import { countVerdicts, judge, type Lack } from "./verdict.ts";

vi.mock("./full-disk.ts", () => ({ openSmallDisk: vi.fn(() => null) }));
vi.mock("./power-disk.ts", () => ({ openPowerDisk: vi.fn(() => null) }));

const laptop = { isCi: false, isRoot: false };
const left = (lacks: Lack) => ({ name: "a full disk", reason: "no image is mounted", lacks });

test("1. not tried", () => {
  expect(judge({ problems: [], notTried: [] }, laptop)).toEqual({ word: "held", problems: [] });
  expect(judge({ problems: [], notTried: [left("root")] }, laptop).word).toBe("not tried");
  expect(judge({ problems: ["a"], notTried: [left("root")] }, laptop)).toEqual({
    word: "FAILED",
    problems: ["a"],
  });
});

test("2. where it can be tried", () => {
  const word = (lacks: Lack, isCi: boolean, isRoot: boolean) =>
    judge({ problems: [], notTried: [left(lacks)] }, { isCi, isRoot }).word;
  expect(word("root", true, true)).toBe("FAILED");
  expect(word("root", true, false)).toBe("not tried");
  expect(word("root", false, true)).toBe("not tried");
  expect(word("download", true, true)).toBe("not tried");
  const { problems } = judge({ problems: [], notTried: [left("root")] }, { isCi: true, isRoot: true });
  expect(problems.join()).toMatch(/a full disk.*no image is mounted/);
});

test("3. counts", () => {
  const verdicts = [
    { label: "1 a", word: "held" },
    { label: "2 b", word: "not tried" },
    { label: "3 c", word: "FAILED" },
    { label: "4 d", word: "held" },
  ] as const;
  expect(countVerdicts(verdicts)).toEqual({ passed: 2, failed: 1, notTried: ["2 b"] });
});

test.each([
  [fullDisk, openSmallDisk],
  [powerCuts, openPowerDisk],
])("4. a disk for $name", async (attack, open) => {
  const theatre = openTheatre({ isShort: true, isLong: false, seed: 1 } satisfies Partial<Stage>);
  const outcome = await theatre.perform(attack);
  await theatre.close();
  expect(open).toHaveBeenCalled();
  expect(outcome.problems).toEqual([]);
  expect(outcome.notTried).toMatchObject([{ lacks: "root" }]);
  expect(outcome.figures.map((figure) => figure.outcome)).toEqual([expect.stringMatching(/^not tried: /)]);
  expect(judge(outcome, laptop).word).toBe("not tried");
});
