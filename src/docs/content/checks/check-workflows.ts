import { registerHooks } from "node:module";
import { fillPlaceholders } from "../page/placeholders.ts";
import type { ContentProblem, Page, Sample } from "../types.ts";

/** Reads every complete GitHub workflow with GitHub's own parser, which knows each key and each expression. */
export async function checkWorkflows(pages: readonly Page[]): Promise<ContentProblem[]> {
  const samples = pages.flatMap((page) =>
    page.samples.filter(isWorkflow).map((sample) => ({ page, sample })),
  );
  if (samples.length === 0) return [];
  const { parseWorkflow, NoOperationTraceWriter } = await importParser();
  return samples.flatMap(({ page, sample }) => {
    const content = fillPlaceholders(sample.code, "http://localhost:3000");
    const { context } = parseWorkflow(
      { name: sample.title ?? "workflow.yml", content },
      new NoOperationTraceWriter(),
    );
    return context.errors.getErrors().map(({ rawMessage, range }): ContentProblem => {
      const line = range?.start.line ?? 1;
      const fix = sample.code.split("\n")[line - 1]?.trim() ?? "";
      const message = `Not a workflow that GitHub accepts: ${rawMessage}.`;
      return {
        file: page.file,
        line: sample.line + line - 1,
        rule: "workflow",
        severity: "error",
        message,
        fix,
      };
    });
  });
}

/** Fragments have no `on`. */
function isWorkflow({ title, diff, code }: Sample): boolean {
  return /^\.github\/workflows\/.*\.ya?ml$/.test(title ?? "") && !diff && /^"?on"?:/m.test(code);
}

/** The package imports JSON without an import attribute, which bundlers allow and Node.js does not. */
async function importParser(): Promise<typeof import("@actions/workflow-parser")> {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
  });
  try {
    return await import("@actions/workflow-parser");
  } finally {
    hooks.deregister();
  }
}
