/** Every code block has a state, and every state in `content/blocks/` has its block. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRan } from "../executed/ran.ts";
import { fileOfPage, lineOf, readStates } from "../executed/read-states.ts";
import { blocksOf, type GivenStates, hashOf, startOf, stateOf } from "../executed/states.ts";
import type { Facts } from "../facts/facts.ts";
import type { ContentProblem, Page } from "../types.ts";

export function checkBlocks(pages: readonly Page[], facts: Facts, root: string): ContentProblem[] {
  const { given, problems } = readStates(root);
  const stateless = pages.flatMap((page) => findStateless(page, { given, facts }));
  const { problems: ofRecord } = readRan(root);
  return [
    ...problems,
    ...ofRecord,
    ...stateless,
    ...findStale(pages, given, root),
    ...findMissingTests(given, root),
  ];
}

function findStateless(page: Page, known: { given: GivenStates; facts: Facts }): ContentProblem[] {
  return blocksOf(page)
    .filter((block) => stateOf(page, block, known) === null)
    .map((block) => ({
      file: page.file,
      line: block.line,
      rule: "block",
      severity: "error",
      message: `No test executes or checks this block. Let one do so, or declare in ${fileOfPage(page.path)} why not.`,
      fix: [
        `${page.path}:`,
        `  - block: ${hashOf(block)}`,
        `    starts: ${JSON.stringify(startOf(block))}`,
        "    declared: a reason of src/docs/content/executed/states.ts",
        "    why: One sentence.",
      ].join("\n"),
    }));
}

/** Entries whose block was edited or removed. */
function findStale(pages: readonly Page[], given: GivenStates, root: string): ContentProblem[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return [...given].flatMap(([path, states]) => {
    const blocks = new Map(blocksOf(byPath.get(path) ?? { samples: [] }).map((one) => [hashOf(one), one]));
    return [...states].flatMap(([hash, { starts }]): ContentProblem[] => {
      const block = blocks.get(hash);
      if (block && startOf(block) === starts) return [];
      const edited = [...blocks.values()].find((one) => startOf(one) === starts);
      const file = fileOfPage(path);
      const line = lineOf(readFileSync(join(root, file), "utf8"), hash);
      const message = block
        ? `The block begins otherwise.`
        : `${path} no longer has this block. If it was edited, read again whether what is said of it holds.`;
      const fix = block
        ? `starts: ${JSON.stringify(startOf(block))}`
        : edited
          ? `block: ${hashOf(edited)}`
          : "Remove it.";
      return [{ file, line, rule: "block", severity: "error", message, fix }];
    });
  });
}

/** Tests that states name and that do not exist. */
function findMissingTests(given: GivenStates, root: string): ContentProblem[] {
  return [...given].flatMap(([path, states]) =>
    [...states].flatMap(([hash, state]): ContentProblem[] => {
      const by = "by" in state ? state.by : undefined;
      if (by === undefined || existsSync(join(root, by))) return [];
      const file = fileOfPage(path);
      const line = lineOf(readFileSync(join(root, file), "utf8"), hash);
      return [
        { file, line, rule: "block", severity: "error", message: `There is no ${by}.`, fix: "A test." },
      ];
    }),
  );
}
