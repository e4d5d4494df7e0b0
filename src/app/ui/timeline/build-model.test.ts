/**
 * 1. A step goes from waiting to running to its end, with the builder's times.
 * 2. A status that is sent twice changes nothing; steps that it does not touch stay the same objects.
 * 3. A step that runs again counts its work without the pause, and ends with the last status.
 * 4. A failed step has its exit code, and its error as a marked line of the log.
 * 5. No message, in whatever order, makes a step end before it begins or work longer than it took.
 * 6. A build that ends stops its running steps.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogLines } from "../log/log-lines.ts";
import { type Build, endBuild, foldStatus, MAX_STEPS, newBuild, type Vertex } from "./build-model.ts";

const run = { digest: "a", name: "[deps 2/2] RUN pnpm install" };
const fold = (vertexes: Vertex[], build: Build = newBuild(0)) => foldStatus(build, { vertexes });

test("from waiting to its end (1)", () => {
  const waiting = fold([run]);
  expect(waiting.steps[0]).toMatchObject({ state: "waiting", start: null, stage: "deps", number: 1 });
  const running = fold([{ ...run, started: 10 }], waiting);
  expect(running.steps[0]).toMatchObject({ state: "running", start: 10, end: null });
  const done = fold([{ ...run, started: 10, completed: 30 }], running);
  expect(done.steps[0]).toMatchObject({ state: "worked", start: 10, end: 30, worked: 20 });
  const cached = fold([{ digest: "b", name: "[1/1] RUN x", cached: true, started: 5, completed: 5 }], done);
  expect(cached.steps[1]).toMatchObject({ state: "cached", number: 2 });
});

test("said twice (2)", () => {
  const status = [{ ...run, started: 10, completed: 30 }];
  const once = fold(status);
  expect(fold(status, once).steps).toEqual(once.steps);
  const more = fold([{ digest: "b", name: "other" }], once);
  expect(more.steps[0]).toBe(once.steps[0]);
});

test("once more (3)", () => {
  let build = fold([{ ...run, started: 0, completed: 6 }]);
  build = fold([{ ...run, started: 100 }], build);
  expect(build.steps[0]?.state).toBe("running");
  build = fold([{ ...run, started: 100, completed: 120 }], build);
  expect(build.steps[0]).toMatchObject({ start: 0, end: 120, worked: 26, state: "worked" });
});

test("failed (4)", () => {
  const log = new LogLines();
  const error = 'process "/bin/sh -c x" did not complete successfully: exit code: 2';
  const status = {
    vertexes: [{ ...run, started: 1, completed: 4, error }],
    logs: [{ vertex: "a", text: "a.go:1:2: bad\n", timestamp: 2 }],
  };
  const build = foldStatus(foldStatus(newBuild(0), status, log), { vertexes: status.vertexes }, log);
  expect(build.steps[0]).toMatchObject({ state: "failed", exitCode: 2, error });
  expect([log.line(0)?.isError, log.line(1)?.isError, log.count]).toEqual([true, true, 2]);
});

const vertex = fc.record(
  {
    digest: fc.constantFrom("a", "b", "c"),
    name: fc.constantFrom("[1/1] RUN a", "x"),
    inputs: fc.array(fc.constantFrom("a", "b", "z"), { maxLength: 3 }),
    started: fc.integer({ min: -50, max: 50 }),
    completed: fc.integer({ min: -50, max: 50 }),
    cached: fc.boolean(),
    error: fc.constantFrom("", "no"),
  },
  { requiredKeys: ["digest", "name"] },
);

test("any order of words (5, 6)", () => {
  fc.assert(
    fc.property(fc.array(vertex, { maxLength: 12 }), (vertexes) => {
      let build = newBuild(0);
      for (const one of vertexes) build = fold([one], build);
      const ended = endBuild(build, "canceled", 60);
      expect(ended.steps.some(({ state }) => state === "running")).toBe(false);
      for (const { start, end, worked, state } of ended.steps) {
        if (end !== null) expect(end).toBeGreaterThanOrEqual(start ?? end);
        expect(worked).toBeGreaterThanOrEqual(0);
        if (state === "waiting") expect(end).toBeNull();
      }
    }),
  );
});

test("steps have a limit (5)", () => {
  const many = Array.from({ length: MAX_STEPS + 5 }, (_, index) => ({ digest: `${index}`, name: "x" }));
  expect(fold(many).steps).toHaveLength(MAX_STEPS);
});
