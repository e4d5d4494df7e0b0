/** `content/ran.json`: which blocks ran at which commit. `npm run node scripts/update-ran.ts` writes it after a test run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Facts } from "../facts/facts.ts";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem, Page } from "../types.ts";
import { executedBlocks, type GivenStates } from "./states.ts";

export const RAN_FILE = "content/ran.json";

const runSchema = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{8}$/, "must have eight hexadecimal digits"),
  date: z.iso.date(),
  /** The hash of each block → how it was executed. */
  blocks: z.record(z.string().regex(/^[0-9a-f]{12}$/), z.enum(["run", "adapted"])),
});
/** By the path of the page. Tests of different commits may have executed the blocks of one page. */
export const ranSchema = z.record(z.string().startsWith("/docs"), z.array(runSchema).min(1));

export type Run = z.infer<typeof runSchema>;
export type Ran = z.infer<typeof ranSchema>;

/** A missing or malformed file counts as empty; a malformed one is a problem. JSON is YAML, and so has lines. */
export function readRan(root: string): { ran: Ran; problems: ContentProblem[] } {
  let source: string;
  try {
    source = readFileSync(join(root, RAN_FILE), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { ran: {}, problems: [] };
    throw error;
  }
  const { data = {}, problems } = readYaml(RAN_FILE, source, ranSchema, { rule: "ran" });
  return { ran: data, problems };
}

/**
 * The oldest of the runs that the page needs.
 * @returns null if the page has no commands, or one that has changed since it ran
 */
export function ranOf(
  page: Pick<Page, "path" | "samples">,
  known: { given: GivenStates; facts: Facts; ran: Ran },
): Pick<Run, "commit" | "date"> | null {
  const executed = executedBlocks(page, known);
  const runs = known.ran[page.path] ?? [];
  const found = [...executed].map(([hash, state]) => runs.find(({ blocks }) => blocks[hash] === state));
  const oldest = found.toSorted((a, b) => ((a?.date ?? "") < (b?.date ?? "") ? -1 : 1))[0];
  return found.includes(undefined) || !oldest ? null : { commit: oldest.commit, date: oldest.date };
}

/** The record after a run: each present block with its newest run, and no other block. */
export function addRuns(
  pages: readonly Pick<Page, "path" | "samples">[],
  known: { given: GivenStates; facts: Facts; ran: Ran },
  notes: Ran,
): Ran {
  const added = pages.map(({ path, samples }): [string, Run[]] => {
    const left = new Map(executedBlocks({ path, samples }, known));
    const runs = [...(notes[path] ?? []), ...(known.ran[path] ?? [])].toSorted((a, b) =>
      a.date > b.date ? -1 : a.date < b.date ? 1 : 0,
    );
    const kept = runs.map(({ commit, date, blocks }) => {
      const own = Object.entries(blocks).filter(([hash, state]) => left.get(hash) === state);
      for (const [hash] of own) left.delete(hash);
      return { commit, date, blocks: Object.fromEntries(own) };
    });
    return [path, kept.filter(({ blocks }) => Object.keys(blocks).length > 0)];
  });
  return Object.fromEntries(added.filter(([, runs]) => runs.length > 0));
}
