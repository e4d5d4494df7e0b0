/**
 * 1. With all groups open every step has exactly one row; otherwise every step of an open platform is in exactly one row,
 *    and folded rows hold cached steps of one stage, or short ones of the builder's own.
 * 2. Critical rows are those of the critical path; a turn leads from each to the next visible one, counted in rows.
 * 3. Only the critical path leaves nothing else.
 * 4. Lanes of a closed platform cover exactly the time in which its steps ran, and bars of a lane do not overlap
 *    as long as two lanes are enough.
 * 5. Another build's steps are matched by what they do, whatever their position.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Build, type Step, newBuild } from "./build-model.ts";
import { compareSteps, firstToRunAgain } from "./compare-builds.ts";
import { layoutTimeline, type StepRow } from "./layout-timeline.ts";
import { packLanes } from "./pack-lanes.ts";
import { makeStep } from "../../testing/steps.ts";

const buildOf = (steps: readonly Step[]): Build => ({ ...newBuild(0), steps });
const NOW = 100;

const anySteps = fc
  .array(
    fc.record({
      platform: fc.constantFrom("linux/amd64 ", "linux/arm64 ", ""),
      stage: fc.constantFrom("base", "build", ""),
      at: fc.integer({ min: 1, max: 4 }),
      kind: fc.constantFrom("file", "internal", "export"),
      state: fc.constantFrom("waiting", "running", "cached", "worked", "failed"),
      start: fc.integer({ min: 0, max: 60 }),
      lasts: fc.integer({ min: 0, max: 30 }),
      inputs: fc.array(fc.nat(11), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts.map(({ platform, stage, at, kind, state, start, lasts, inputs }, index): Step => {
      const file = `[${platform}${stage}${stage && " "}${at}/4] RUN ${index}`;
      const title =
        kind === "file" ? file : kind === "internal" ? `[internal] load ${index}` : "exporting to image";
      const hasBegun = state !== "waiting";
      return makeStep({
        title,
        id: `${index}`,
        number: index + 1,
        state,
        start: hasBegun ? start : null,
        end: hasBegun && state !== "running" ? start + lasts : null,
        inputs: inputs.filter((input) => input < index).map(String),
      });
    }),
  );

const stepRows = (build: Build, options: object = {}) =>
  layoutTimeline({ build, now: NOW, ...options }).rows.filter((row): row is StepRow => row.kind === "step");

test("every step has its row (1)", () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const build = buildOf(steps);
      const all = stepRows(build, { isAllOpen: true });
      expect(all.map(({ step }) => step.number).sort((one, other) => one - other)).toEqual(
        steps.map(({ number }) => number),
      );
      const choices = new Map([
        ["linux/amd64", true],
        ["linux/arm64", true],
      ]);
      const folded = stepRows(build, { choices });
      expect(
        folded.flatMap((row) => row.steps.map(({ number }) => number)).sort((one, other) => one - other),
      ).toEqual(steps.map(({ number }) => number));
      for (const row of folded) {
        if (row.steps.length === 1) continue;
        expect(new Set(row.steps.map(({ stage }) => stage)).size).toBe(1);
        expect(
          row.steps.every(
            ({ state, stage }) => state === "cached" || (stage === "internal" && state === "worked"),
          ),
        ).toBe(true);
      }
    }),
  );
});

test("the critical path and its turns (2, 3)", () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const build = buildOf(steps);
      const { rows, criticalPath } = layoutTimeline({ build, now: NOW, isAllOpen: true });
      const critical = rows.filter((row) => row.kind === "step" && row.isCritical).map(({ key }) => key);
      expect(critical.toSorted()).toEqual(criticalPath.toSorted());
      for (const [index, row] of rows.entries()) {
        if (row.kind !== "step" || !row.turn) continue;
        const target = rows[index + row.turn.rows + row.turn.groups];
        expect(target?.key).toBe(criticalPath[criticalPath.indexOf(row.key) + 1]);
      }
      const only = stepRows(build, { isCriticalOnly: true });
      expect(only.map(({ key }) => key).toSorted()).toEqual(criticalPath.toSorted());
    }),
  );
});

test("lanes cover what ran (4)", () => {
  fc.assert(
    fc.property(anySteps, (all) => {
      const spanOf = ({ start, end }: Step) => (start === null ? null : { start, end: end ?? NOW });
      const steps = all.filter(({ start, end }) => start !== end);
      const lanes = packLanes(steps, spanOf);
      const covered = new Set<number>();
      for (const { start, end } of lanes.flat()) for (let at = start; at < end; at++) covered.add(at);
      const ran = new Set<number>();
      let most = 0;
      for (let at = 0; at < NOW; at++) {
        const now = steps.filter(
          (step) => (spanOf(step)?.start ?? NOW) <= at && at < (spanOf(step)?.end ?? 0),
        );
        if (now.length > 0) ran.add(at);
        most = Math.max(most, now.length);
      }
      expect([...covered].sort((one, other) => one - other)).toEqual([...ran]);
      expect(lanes.length).toBeLessThanOrEqual(2);
      if (most > 2) return;
      for (const lane of lanes)
        for (const [index, bar] of lane.entries())
          if (index > 0) expect(bar.start).toBeGreaterThanOrEqual(lane[index - 1]?.end ?? 0);
    }),
  );
});

test("the same step in another build (5)", () => {
  const step = (title: string, start: number, state: Step["state"] = "worked") =>
    makeStep({ title, start, end: start + 10, state });
  const build = buildOf([
    step("[b 1/3] COPY . .", 5),
    step("[b 2/3] RUN x", 20, "cached"),
    step("[b 3/3] RUN new", 40),
  ]);
  const other = buildOf([step("[b 1/2] COPY . .", 100), step("[linux/amd64 b 2/2] RUN x", 200)]);
  expect([...compareSteps(build, other)]).toEqual([
    ["[b 1/3] COPY . .", { start: 100, end: 110 }],
    ["[b 2/3] RUN x", { start: 200, end: 210 }],
  ]);
  expect(firstToRunAgain(build)).toBe("[b 1/3] COPY . .");
  expect(firstToRunAgain(buildOf([step("[internal] x", 0)]))).toBeNull();
});
