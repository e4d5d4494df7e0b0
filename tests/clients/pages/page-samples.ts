/** The pages' commands that run today, without those that `content/blocks/` declares or leaves to another test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleCommands } from "#docs/content/blocks/code-block.ts";
import { isPreviewSample } from "#docs/content/page/availability.ts";
import { readStates } from "#docs/content/executed/read-states.ts";
import { type GivenStates, hashOf, isShell, stateOf } from "#docs/content/executed/states.ts";
import { type Facts, loadFacts } from "#docs/content/facts/facts.ts";
import type { Page, Sample } from "#docs/content/types.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";

export interface PageStep {
  /** `content/docs/api/overview.mdx:20` */
  place: string;
  /** The hash of its block. */
  block: string;
  command: string;
  /** The output that the page shows below the command. */
  output: string[];
}

export interface ProvedPage {
  page: Page;
  /** From its front matter. */
  part: string;
  /** Commands that a reader would run, in the page's order. */
  steps: PageStep[];
  /** The files that it shows, by their titles. */
  files: Map<string, string>;
  /** Its headings that begin with a message, as text. */
  messages: string[];
}

/** @returns the pages with a command or a message, by path */
export async function readProvedPages(): Promise<Map<string, ProvedPage>> {
  const { facts } = loadFacts(root);
  const { given } = readStates(root);
  const { pages } = await compileContent();
  const proved = pages.map((page): [string, ProvedPage] => [
    page.path,
    {
      page,
      part: page.part,
      steps: stepsOf(ownBlocks(page, { given, facts }), facts),
      files: filesOf(page),
      messages: messagesOf(page.file),
    },
  ]);
  return new Map(proved.filter(([, { steps, messages }]) => steps.length + messages.length > 0));
}

/** Blocks that no other test executes. */
function ownBlocks(page: Page, known: { given: GivenStates; facts: Facts }): Page {
  const samples = page.samples.filter((sample) => {
    const state = stateOf(page, sample, known);
    return (state?.state === "run" || state?.state === "adapted") && state.by === undefined;
  });
  return { ...page, samples };
}

const messagesOf = (file: string): string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^### (`.+)$/gm)].map(([, text = ""]) =>
    text.replaceAll("`", ""),
  );

/** If several have the same title, all but the last have a number: `Dockerfile 1`. */
export function filesOf({ samples }: Page): Map<string, string> {
  const files = new Map<string, string>();
  for (const { title, code } of samples) {
    if (title === null) continue;
    const before = files.get(title);
    if (before !== undefined) files.set(`${title} ${countNames(files, title)}`, before);
    files.set(title, code);
  }
  return files;
}

const countNames = (files: ReadonlyMap<string, string>, title: string): number =>
  [...files.keys()].filter((name) => name.replace(/ \d+$/, "") === title).length;

export function stepsOf(page: Page, facts: Facts): PageStep[] {
  return page.samples
    .filter(isShell)
    .filter(({ language, code }) => !isPreviewSample(language, code, facts))
    .flatMap((sample) =>
      sample.language === "console" ? consoleSteps(page, sample) : [scriptStep(page, sample)],
    );
}

function consoleSteps({ file }: Page, sample: Sample): PageStep[] {
  const { code, line } = sample;
  const lines = code.split("\n");
  const commands = consoleCommands(code);
  return commands.map(({ text, from, to }, index) => ({
    place: `${file}:${line + from}`,
    block: hashOf(sample),
    command: text,
    output: lines.slice(to, commands[index + 1]?.from ?? lines.length),
  }));
}

function scriptStep({ file }: Page, sample: Sample): PageStep {
  const { code, line } = sample;
  return { place: `${file}:${line}`, block: hashOf(sample), command: code, output: [] };
}
