import { formatProblem } from "../../src/content/problem.ts";
import { checkContent as findProblems } from "../../src/content/check-content.ts";
import { components } from "../../src/site/mdx/components.ts";
import { root } from "./folders.ts";
import type { CheckResult } from "./run-checks.ts";

/** Every page against every rule; warnings are shown and do not fail. */
export async function checkContent(): Promise<CheckResult> {
  const { pages, problems } = await findProblems(root, components);
  const errors = problems.filter((problem) => problem.severity === "error");
  const pagesWithErrors = new Set(errors.map((problem) => problem.file));
  return {
    passed: pages.length - pages.filter((page) => pagesWithErrors.has(page.file)).length,
    failed: errors.length,
    report: errors.map(formatProblem).join("\n\n"),
  };
}
