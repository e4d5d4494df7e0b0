/** 1. `content/facts/limits.yaml` has the actual limits. 2. The page for operators names metrics that exist, and what is sent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ANSWER_RATE } from "#platform/http/limits/request-rates.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import * as limits from "./contract/limits.ts";
import { createFigures } from "./register-metrics.ts";

const content = join(import.meta.dirname, "../../content");

test("1. limits", () => {
  const facts = parse(readFileSync(join(content, "facts/limits.yaml"), "utf8")) as {
    limits: { id: string; value: string; description?: string }[];
  };
  const find = (id: string) => facts.limits.find((limit) => limit.id === `answers.${id}`);
  expect(find("rate")?.value).toBe(String(ANSWER_RATE.perMinute));
  expect(find("running")).toMatchObject({
    value: String(limits.MAX_RUNNING),
    description: `At most ${limits.MAX_RUNNING_PER_NETWORK} for one network.`,
  });
  expect(find("time")?.value).toBe(`${limits.DEADLINE_MS / 60_000} minute`);
  expect(find("tokens")?.value).toBe(limits.TOKENS_PER_DAY.toLocaleString("en"));
});

test("2. metrics", async () => {
  const page = readFileSync(join(content, "docs/managed/overview/run.mdx"), "utf8");
  const metrics = createMetrics();
  const figures = createFigures(
    () => 0,
    () => 1,
  );
  figures.registerMetrics(metrics);
  const { text } = await metrics.expose();
  expect(page).toContain("up to eight sections");
  expect(limits.MAX_PASSAGES).toBe(8);
  const named = [...page.matchAll(/`(answers_[a-z_]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(text).toMatch(new RegExp(`^${name}[{ ]`, "m"));
});
