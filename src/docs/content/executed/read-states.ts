/** Reads `content/blocks/*.yaml`: the states of blocks that no rule decides, or decides otherwise. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ProblemList } from "../problem.ts";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem } from "../types.ts";
import { type BlockState, CHANGES, type GivenState, type GivenStates, REASONS } from "./states.ts";

const FOLDER = "content/blocks";

const sentence = z.string().min(1).max(160, "must have at most 160 characters");
/** A file of the repository. */
const file = z.string().regex(/^(?:src|tests|scripts|cli)\/[\w./-]+\.ts$/, "must be a file of ours");

const entrySchema = z
  .strictObject({
    block: z.string().regex(/^[0-9a-f]{12}$/, "must be the hash that the check prints"),
    starts: z.string().min(1).max(60),
    run: file.optional(),
    adapted: z.enum(Object.keys(CHANGES) as (keyof typeof CHANGES)[]).optional(),
    checked: file.optional(),
    declared: z.enum(Object.keys(REASONS) as (keyof typeof REASONS)[]).optional(),
    why: sentence.optional(),
    by: file.optional(),
  })
  .refine(
    ({ run, adapted, checked, declared }) =>
      [run, adapted, checked, declared].filter((each) => each !== undefined).length === 1,
    "needs one of run, adapted, checked and declared",
  )
  .refine(({ declared, why }) => declared === undefined || why !== undefined, "needs why")
  .refine(({ adapted, why }) => adapted !== "part" || why !== undefined, "needs why");
const fileSchema = z.record(z.string().startsWith("/docs"), z.array(entrySchema).min(1));

type Entry = z.infer<typeof entrySchema>;

/** The file with the states of a page's blocks. */
export const fileOfPage = (path: string): string => `${FOLDER}/${path.split("/")[2] ?? "index"}.yaml`;

/** A missing folder has no states; a malformed file counts as empty, and is a problem. */
export function readStates(root: string): { given: GivenStates; problems: ContentProblem[] } {
  const given = new Map<string, Map<string, GivenState>>();
  const problems: ContentProblem[] = [];
  for (const name of listFiles(root)) {
    const found = new ProblemList(name);
    const source = readFileSync(join(root, name), "utf8");
    const read = readYaml(name, source, fileSchema, { rule: "block" });
    for (const [path, entries] of Object.entries(read.data ?? {})) {
      if (fileOfPage(path) !== name)
        found.error(lineOf(source, `${path}:`), "block", `${path} is in another file.`, fileOfPage(path));
      const states = new Map(entries.map((entry) => [entry.block, stateOfEntry(entry)]));
      if (states.size < entries.length)
        found.error(lineOf(source, `${path}:`), "block", `${path} names a block twice.`, "Remove one.");
      given.set(path, states);
    }
    problems.push(...read.problems, ...found.problems);
  }
  return { given, problems };
}

/** The line of a text, from 1. */
export const lineOf = (source: string, text: string): number =>
  Math.max(1, source.slice(0, Math.max(0, source.indexOf(text))).split("\n").length);

function stateOfEntry({ starts, why, by, ...entry }: Entry): GivenState {
  const state: BlockState = entry.run
    ? { state: "run", by: entry.run }
    : entry.adapted
      ? { state: "adapted", change: entry.adapted, ...(why && { why }), ...(by && { by }) }
      : entry.checked
        ? { state: "checked", by: entry.checked }
        : { state: "declared", reason: entry.declared ?? "same", why: why ?? "" };
  return { ...state, starts };
}

function listFiles(root: string): string[] {
  try {
    const names = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith(".yaml"));
    return names.toSorted().map((name) => `${FOLDER}/${name}`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
