/**
 * Each code block of the documentation has one state. Rules decide it by language; `content/blocks/*.yaml` decides it
 * for the others, by the hash of the block's text, so that an edited block loses what was said of it.
 */
import { createHash } from "node:crypto";
import type { Facts } from "../facts/facts.ts";
import { isPreviewSample } from "../page/availability.ts";
import type { Page, Sample } from "../types.ts";

/** What may differ where a block is executed, as the list of states says it. */
export const CHANGES = {
  values: "Names, addresses, ids or secrets of the reader's own are the test's.",
  output: "Numbers or names in its output depend on the machine and its records.",
  part: "A part of it is left out.",
  "stand-in": "A service that the test cannot reach has a stand-in.",
  instead: "Another command with the same result runs instead.",
} as const;

/** Why a block is neither executed nor checked. */
export const REASONS = {
  preview: "The part does not run yet.",
  account: "It needs an account at another service.",
  "foreign-ci": "It needs a job or a repository at another service.",
  cluster: "It needs a cluster.",
  network: "It needs a network or an address that the tests cannot have.",
  engine: "It needs an engine that runs containers.",
  machine: "It changes a whole machine, or needs another operating system.",
  program: "It needs a program that the tests cannot have.",
  "base-image": "It needs an official image or packages of the internet.",
  same: "Another block or a test executes the same.",
  person: "It waits for a person.",
  file: "It shows a file of the reader's own, in a form without a parser here.",
  form: "It shows a form, not something to type.",
  message: "It shows a message whose cause no test can have.",
} as const;

export type BlockState =
  /** Executed as printed. `by`: by a test other than those of `tests/clients/pages/prove-pages.ts`. */
  | { state: "run"; by?: string }
  | { state: "adapted"; change: keyof typeof CHANGES; why?: string; by?: string }
  /** Not a command: parsed, validated or compared. */
  | { state: "checked"; by: string }
  | { state: "declared"; reason: keyof typeof REASONS; why: string };

/** A state of `content/blocks/*.yaml`, and the beginning of the block's first line, for people. */
export type GivenState = BlockState & { starts: string };
/** By the path of the page, then by the block's hash. */
export type GivenStates = ReadonlyMap<string, ReadonlyMap<string, GivenState>>;

/** Languages whose samples `check-samples.ts` parses. */
export const PARSED = [
  "yaml",
  "yml",
  "json",
  "jsonc",
  "toml",
  "xml",
  "hcl",
  "dockerfile",
  "docker",
  "js",
  "ts",
] as const;
export type Parsed = (typeof PARSED)[number];

export const isParsed = (language: string): language is Parsed =>
  PARSED.some((each) => each === language.toLowerCase());

/** Blocks whose language is one of these are commands. */
const SHELLS = new Set(["console", "bash", "sh"]);
export const isShell = ({ language }: Pick<Sample, "language">): boolean => SHELLS.has(language);

/** A file with the server's settings, one `NAME=value` on each line. */
export const isServerSettings = ({ language, title }: Pick<Sample, "language" | "title">): boolean =>
  language === "bash" && title !== null && /(?:^|\/)millrace\.env$|^\.env of the server$/.test(title);

const CHECKS = "src/docs/content/checks";
/** The server's own reader accepts every setting of such a file. */
const SETTINGS = "tests/deploy/pages.test.ts";
const DOCKERFILES = "tests/clients/pages/dockerfiles.test.ts";

/** The page's fenced blocks. */
export const blocksOf = ({ samples }: Pick<Page, "samples">): Sample[] =>
  samples.filter(({ language }) => language !== "inline");

export const hashOf = ({ language, code }: Pick<Sample, "language" | "code">): string =>
  createHash("sha256").update(`${language}\n${code}`).digest("hex").slice(0, 12);

/** The beginning of the first line, as `content/blocks/*.yaml` repeats it. */
export const startOf = ({ code }: Pick<Sample, "code">): string =>
  (code.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, 60).trim();

/** @returns null for a block without a state */
export function stateOf(
  page: Pick<Page, "path">,
  block: Sample,
  known: { given: GivenStates; facts: Facts },
): BlockState | null {
  return known.given.get(page.path)?.get(hashOf(block)) ?? stateByRule(block, known.facts);
}

/** What a language decides: commands are executed, and files are parsed. */
export function stateByRule(block: Sample, facts: Facts): BlockState | null {
  const { language, code, title, diff } = block;
  if (isServerSettings(block)) return { state: "checked", by: SETTINGS };
  if (isShell(block))
    return isPreviewSample(language, code, facts)
      ? { state: "declared", reason: "preview", why: "Its part is a preview." }
      : { state: "run" };
  if (language === "diagram") return { state: "checked", by: "src/docs/components/diagram.ts" };
  // BuildKit's own checks read Dockerfiles, changes of one, and the ignore file beside them.
  if (language === "dockerfile" || title === ".dockerignore") return { state: "checked", by: DOCKERFILES };
  // A diff has two versions of some lines, and no parser.
  if (isParsed(language) && !diff) return { state: "checked", by: `${CHECKS}/check-samples.ts` };
  if (language === "text" && facts.cli.commands.some(({ synopsis }) => synopsis === code))
    return { state: "checked", by: "content/facts/cli.yaml" };
  return null;
}

/** The page's blocks that tests execute, by their hashes, in its order. */
export function executedBlocks(
  page: Pick<Page, "path" | "samples">,
  known: { given: GivenStates; facts: Facts },
): Map<string, "run" | "adapted"> {
  return new Map(
    blocksOf(page).flatMap((block) => {
      const state = stateOf(page, block, known)?.state;
      return state === "run" || state === "adapted" ? [[hashOf(block), state] as const] : [];
    }),
  );
}
