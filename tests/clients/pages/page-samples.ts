/** Samples on pages about accounts, the API, the CLI, the cache, the registry and builds that run today (`content/facts/parts.yaml`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleCommands } from "#docs/content/blocks/code-block.ts";
import { isPreviewSample } from "#docs/content/page/availability.ts";
import { type Facts, loadFacts } from "#docs/content/facts/facts.ts";
import type { Page, Sample } from "#docs/content/types.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";

export interface PageStep {
  /** `content/docs/api/overview.mdx:20` */
  place: string;
  command: string;
  /** The output that the page shows below the command. */
  output: string[];
}

export interface ProvedPage {
  /** From its front matter. */
  part: ProvedPart;
  /** Commands that a reader would run, in the page's order. */
  steps: PageStep[];
  /** The files that it shows, by their titles. */
  files: Map<string, string>;
  /** Its headings that begin with a message, as text. */
  messages: string[];
}

/** Pages of these parts are proved by running their commands. */
export const PROVED_PARTS = ["api", "cli", "cache", "registry", "container-builds"] as const;
export type ProvedPart = (typeof PROVED_PARTS)[number];
const SHELLS = new Set(["console", "bash", "sh"]);

/** @returns by the path of each page */
export async function readProvedPages(): Promise<Map<string, ProvedPage>> {
  const { facts } = loadFacts(root);
  const { pages } = await compileContent();
  return new Map(
    pages.flatMap((page) => {
      const part = PROVED_PARTS.find((each) => each === partOf(page.file));
      if (part === undefined) return [];
      return [
        [
          page.path,
          {
            part,
            steps: stepsOf(page, facts),
            files: filesOf(page),
            messages: messagesOf(page.file),
          },
        ],
      ];
    }),
  );
}

function partOf(file: string): string {
  return /^part: ([\w-]+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? "";
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
