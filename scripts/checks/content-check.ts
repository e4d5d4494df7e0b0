import {
  type CheckedContent,
  checkContent as findProblems,
  checkPages,
} from "#docs/content/check-content.ts";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { formatProblem } from "#docs/content/problem.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { components } from "#docs/components/components.ts";
import { pageCache, problemsBesidePages } from "../steps/content-step.ts";
import { root } from "#server/pages/build-folders.ts";
import type { CheckResult } from "./run-checks.ts";
import { checkStateWords } from "./state-words.ts";

/** Reported by `npm run dev` after a save: checks across pages, which do not prevent a page from being shown. */
export function describePages(content: CheckedContent): Promise<ContentProblem[]> {
  return checkPages(content, loadFacts(root).facts, root);
}

/** Every page against every rule; warnings do not fail. */
export async function checkContent(): Promise<CheckResult> {
  const options = { root, facts: loadFacts(root), components, cache: await pageCache() };
  const problems = [
    ...(await findProblems(options)),
    ...problemsBesidePages(options.facts),
    ...checkStateWords(),
  ];
  const errors = problems.filter((problem) => problem.severity === "error");
  for (const warning of problems.filter((problem) => problem.severity === "warning"))
    console.log(formatProblem(warning).split("\n", 1)[0]);
  return {
    passed: errors.length === 0 ? 1 : 0,
    failed: errors.length,
    report: errors.map(formatProblem).join("\n\n"),
  };
}
