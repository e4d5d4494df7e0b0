/**
 * 1. Owners are asked for all five things, members for those that they may do.
 * 2. The list is finished when each of its steps was seen, and not before; a step that the server does not name is not done.
 */
import { expect, test } from "vitest";
import { isFinished, STEP_KEYS, stepsFor } from "./first-run.ts";

const seen = { at: "2026-11-20T14:29:41Z", found: { text: "ada on ada-mbp" } };

test("1. steps by role", () => {
  expect(stepsFor({ isOwner: true })).toEqual(STEP_KEYS);
  expect(stepsFor({ isOwner: false })).toEqual(["login", "project", "token"]);
});

test("2. finished", () => {
  const members = stepsFor({ isOwner: false });
  expect(isFinished({}, members)).toBe(false);
  expect(isFinished({ login: seen, project: seen, token: null }, members)).toBe(false);
  expect(isFinished({ login: seen, project: seen, token: seen }, members)).toBe(true);
  expect(isFinished({ login: seen, project: seen, token: seen }, STEP_KEYS)).toBe(false);
});
