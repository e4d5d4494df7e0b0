/** 1. The page for operators states the actual limits and the names of the actual metrics. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANSWER_RATE } from "#platform/http/limits/request-rates.ts";
import { DEADLINE_MS, MAX_PASSAGES, MAX_RUNNING } from "./contract/limits.ts";

test("1. limits", () => {
  const page = readFileSync(join(import.meta.dirname, "../../content/docs/managed/overview/run.mdx"), "utf8");
  expect(page).toContain(
    `${ANSWER_RATE.perMinute} questions a minute for each caller, ${MAX_RUNNING} answers at a time, ${DEADLINE_MS / 1000} seconds for each answer`,
  );
  expect(MAX_PASSAGES).toBe(8);
  expect(page).toContain("at most eight sections");
});
