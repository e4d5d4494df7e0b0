/** Which random numbers a run begins with. */
import { spawnSync } from "node:child_process";
import { root } from "#server/build-folders.ts";

const SEEDS = 1_000_000;

/** Another one for each commit, and the same again: what CI has found is found again on that commit. */
export const seedOf = (commit: string): number => Number.parseInt(commit.slice(0, 12), 16) % SEEDS;

/** Of what is checked out; any, where nothing is. */
export function seedOfCheckout(): number {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return status === 0 ? seedOf(stdout) : anySeed();
}

export const anySeed = (): number => Date.now() % SEEDS;
