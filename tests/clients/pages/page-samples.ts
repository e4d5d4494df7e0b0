/** The samples on pages about accounts, the API and the CLI that run today, according to `content/facts/parts.yaml`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleCommands } from "#docs/content/code-block.ts";
import { isPreviewSample } from "#docs/content/availability.ts";
import { type Facts, loadFacts } from "#docs/content/facts.ts";
import type { Page, Sample } from "#docs/content/types.ts";
import { root } from "#server/build-folders.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";

export interface PageStep {
  /** `content/docs/api/overview.mdx:20` */
  place: string;
  command: string;
  /** What the page shows below the command. */
  output: string[];
}

/** Pages of these parts are proved by running what is on them. */
const PARTS = new Set(["api", "cli"]);
const SHELLS = new Set(["console", "bash", "sh"]);

/** @returns by the path of each page, in its order, what a reader would run */
export async function readPageSteps(): Promise<Map<string, PageStep[]>> {
  const { facts } = loadFacts(root);
  const { pages } = await compileContent();
  const proved = pages.filter(({ file }) => PARTS.has(partOf(file)));
  return new Map(proved.map((page) => [page.path, stepsOf(page, facts)]));
}

function partOf(file: string): string {
  return /^part: ([\w-]+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? "";
}

function stepsOf(page: Page, facts: Facts): PageStep[] {
  return page.samples
    .filter(({ language }) => SHELLS.has(language))
    .filter(({ language, code }) => !isPreviewSample(language, code, facts))
    .flatMap((sample) =>
      sample.language === "console" ? consoleSteps(page, sample) : [scriptStep(page, sample)],
    );
}

function consoleSteps({ file }: Page, { code, line }: Sample): PageStep[] {
  const lines = code.split("\n");
  const commands = consoleCommands(code);
  return commands.map(({ text, from, to }, index) => ({
    place: `${file}:${line + from}`,
    command: text,
    output: lines.slice(to, commands[index + 1]?.from ?? lines.length),
  }));
}

function scriptStep({ file }: Page, { code, line }: Sample): PageStep {
  return { place: `${file}:${line}`, command: code, output: [] };
}
