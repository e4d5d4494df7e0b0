/** The commands and files that README and pages show, in their order, from their source. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleCommands } from "#docs/content/blocks/code-block.ts";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";
import { findMissingLine } from "../../clients/pages/expected-output.ts";
import { noteRuns } from "../../clients/pages/note-runs.ts";
import { applyChanges, type StepPlan } from "../../clients/pages/page-plan.ts";
import { filesOf, type PageStep, stepsOf } from "../../clients/pages/page-samples.ts";
import type { ShellSession } from "../../clients/shell-session.ts";
import { succeeded } from "./room.ts";

export const ORIGIN = "https://millrace.example.com";
const { facts } = loadFacts(root);
const { pages } = await compileContent();

export interface ShownPage {
  /** All steps, or those below a heading of the second level. */
  steps: (heading?: string) => PageStep[];
  /** A file by its title. @throws Error for a missing one */
  file: (title: string) => string;
}

/** @param path `/docs/…` */
export function readPage(path: string): ShownPage {
  const page = pages.find((each) => each.path === path);
  if (!page) throw new Error(`There is no page ${path}.`);
  const source = readFileSync(join(root, page.file), "utf8").split("\n");
  return {
    steps: (heading) =>
      stepsOf(page, facts).filter(({ place }) => {
        if (heading === undefined) return true;
        const above = source.slice(0, Number(place.slice(place.lastIndexOf(":") + 1)));
        return above.findLast((line) => line.startsWith("## ")) === `## ${heading}`;
      }),
    file(title) {
      const text = filesOf(page).get(title);
      if (text === undefined) throw new Error(`${path} shows no file ${title}.`);
      return text;
    },
  };
}

/** For people without npm's global folder: `{{cli:script}}` of a page. */
export const installScript = (origin: string): string =>
  facts.cli.install.script.replace("{{origin}}", origin);

/** The first commands in README. */
export function readmeSteps(): PageStep[] {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const code = /^## Run it$.*?^```console\n(.*?)^```$/ms.exec(text)?.[1] ?? "";
  return consoleCommands(code).map(({ text: command }) => ({
    place: "README.md",
    block: "",
    command,
    output: [],
  }));
}

export interface Reader {
  shell: ShellSession;
  /** The server's address for this reader. */
  origin: string;
  /** Differences from typing the commands unchanged. */
  plan: readonly StepPlan[];
}

/** Types commands, and compares their output with the page's. @throws Error that names the command's place */
export async function follow(steps: readonly PageStep[], { shell, origin, plan }: Reader): Promise<string> {
  if (steps.length === 0) throw new Error("The page has no such commands any more.");
  let printed = "";
  const typedPlaces = new Set<string>();
  for (const { place, command, output } of steps) {
    const differs = plan.find(({ starts }) => command.startsWith(starts));
    if (differs?.isLeftOut !== undefined) continue;
    const fill = (text: string) =>
      text.replaceAll("{{origin}}", origin).replaceAll("{{host}}", new URL(origin).host);
    typedPlaces.add(place);
    const typed = fill(differs?.as ?? applyChanges(command, differs?.names));
    printed = succeeded(`${typed}   (${place})`, await shell.run(typed));
    const shown = differs?.prints ?? applyChanges(fill(output.join("\n")), differs?.differs).split("\n");
    const missing = findMissingLine(shown, printed);
    if (missing !== null)
      throw new Error(`${place}: ${typed}\nprints no line "${missing}", but:\n${printed}`);
  }
  noteFollowed(typedPlaces);
  return printed;
}

/** @param places of the commands that were typed: a block counts when all of its commands were, in one go */
function noteFollowed(places: ReadonlySet<string>): void {
  for (const page of pages) {
    const steps = stepsOf(page, facts);
    const missing = new Set(steps.filter(({ place }) => !places.has(place)).map(({ block }) => block));
    noteRuns(
      page,
      steps.map(({ block }) => block).filter((block) => !missing.has(block)),
    );
  }
}
