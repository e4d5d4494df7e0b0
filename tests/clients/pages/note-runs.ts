/** Notes which blocks of the pages a test has executed, for `scripts/update-ran.ts`. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadFacts } from "#docs/content/facts/facts.ts";
import type { Ran } from "#docs/content/executed/ran.ts";
import { readStates } from "#docs/content/executed/read-states.ts";
import { blocksOf, executedBlocks, hashOf, stateOf } from "#docs/content/executed/states.ts";
import type { Page } from "#docs/content/types.ts";
import { ranFolder, root } from "#server/pages/build-folders.ts";

/** When the test begins: what it reads later may have changed meanwhile. */
const commit = cleanCommit();
const known = { given: readStates(root).given, facts: loadFacts(root).facts };

/** @param blocks hashes of blocks all of whose commands succeeded and printed what the page shows */
export function noteRuns(page: Pick<Page, "path" | "samples">, blocks: Iterable<string>): void {
  if (commit === null) return;
  const states = executedBlocks(page, known);
  const own = [...new Set(blocks)].flatMap((hash) => {
    const state = states.get(hash);
    return state ? [[hash, state] as const] : [];
  });
  if (own.length === 0) return;
  const date = new Date().toISOString().slice(0, "2026-11-29".length);
  const notes: Ran = { [page.path]: [{ commit, date, blocks: Object.fromEntries(own) }] };
  const text = JSON.stringify(notes);
  // Several tests execute blocks of one page, in processes of their own.
  const name = createHash("sha256").update(`${page.path} ${own.join()}`).digest("hex").slice(0, 16);
  mkdirSync(ranFolder, { recursive: true });
  writeFileSync(join(ranFolder, `${name}.json`), text);
}

/** Notes the blocks that `content/blocks/` leaves to one test, which has executed all of them on these pages. */
export function noteRunsOf(test: string, pages: readonly Pick<Page, "path" | "samples">[]): void {
  for (const page of pages) {
    const own = blocksOf(page).filter((block) => {
      const state = stateOf(page, block, known);
      return (state?.state === "run" || state?.state === "adapted") && state.by === test;
    });
    noteRuns(page, own.map(hashOf));
  }
}

/** @returns null outside Git, and where files differ from the commit: no one could repeat such a run */
function cleanCommit(): string | null {
  try {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
    const changed = git("status", "--porcelain", "--", ".", ":!content/ran.json");
    return changed === "" ? git("rev-parse", "HEAD").slice(0, 8) : null;
  } catch {
    return null;
  }
}
