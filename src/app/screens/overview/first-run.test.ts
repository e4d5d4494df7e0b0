/**
 * 1. Owners see all steps, members only those that they may do.
 * 2. The list is finished when each of its steps was seen, and not before; only the build is optional.
 * 3. A repeated event appears once; unreadable events do not appear; the newest is last; 20 at most.
 * 4. A step that the server does not name is not done.
 */
import { expect, test } from "vitest";
import { type LatestEvent, isFinished, mergeLatest, readFirstRun, STEP_KEYS, stepsFor } from "./first-run.ts";

const seen = { at: "2026-11-20T14:29:41Z", found: { text: "ada on ada-mbp" } };

const event = (id: string, parts: Partial<LatestEvent> = {}): LatestEvent => ({
  id,
  at: `2026-11-20T14:29:${id}Z`,
  kind: "token.create",
  subject: "tok_5r8wq1nzc2",
  project: null,
  by: "ada",
  by_id: "usr_ada",
  text: `event ${id}`,
  refused: false,
  ...parts,
});

test("1. steps by role", () => {
  expect(stepsFor({ isOwner: true })).toEqual(STEP_KEYS);
  expect(stepsFor({ isOwner: false })).toEqual(["login", "project", "build", "token"]);
});

test("2. finished", () => {
  const members = stepsFor({ isOwner: false });
  const run = readFirstRun({ steps: { login: seen, project: seen } });
  expect(isFinished(run, members)).toBe(false);
  const more = readFirstRun({ steps: { login: seen, project: seen, token: seen } });
  expect(isFinished(more, members)).toBe(true);
  expect(isFinished(more, STEP_KEYS)).toBe(false);
});

test("3. latest events", () => {
  const merged = mergeLatest([event("02"), event("01")], [event("02"), event("03", { text: null })]);
  expect(merged.map(({ id }) => id)).toEqual(["01", "02"]);
  const many = Array.from({ length: 30 }, (_, index) => event(String(index + 10)));
  expect(mergeLatest(many).map(({ id }) => id)).toEqual(many.slice(-20).map(({ id }) => id));
});

test("4. a shorter answer", () => {
  expect(readFirstRun({}).steps).toMatchObject({ build: null, colleague: null });
  expect(readFirstRun({ steps: { build: seen } }).steps.build).toBe(seen);
});
