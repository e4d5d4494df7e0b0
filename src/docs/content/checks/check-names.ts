import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allVariables, type Facts } from "../facts/facts.ts";
import { didYouMean } from "../problem.ts";
import type { ContentProblem, Page } from "../types.ts";

interface NameRule {
  /** The first group captures the name. */
  pattern: RegExp;
  what: string;
  file: string;
  known: ReadonlySet<string>;
}

/**
 * Names in text and in samples must be in the facts: environment variables, runner labels, API methods
 * and cache addresses. A page's own variable of such a form needs another name.
 */
export function checkNames(pages: readonly Page[], facts: Facts, root: string): ContentProblem[] {
  const rules = nameRules(facts);
  return pages.flatMap((page) => checkText(page.file, readFileSync(join(root, page.file), "utf8"), rules));
}

export function nameRules(facts: Facts): NameRule[] {
  const labels = facts.runners.runners.flatMap(({ label, aliases }) => [label, ...aliases]);
  const methods = facts.api.services.flatMap(({ name, methods: all }) =>
    all.map((one) => `${name}/${one.name}`),
  );
  return [
    {
      pattern: /(?<![\w-])(MILLRACE_[A-Z][A-Z_]*[A-Z])\b/g,
      what: "environment variable",
      file: "env",
      known: new Set(allVariables(facts).map(({ name }) => name)),
    },
    {
      // A machine's name is the label and a random suffix of letters and digits.
      pattern: /(?<![\w-])(millrace-ubuntu(?:-(?:latest|arm|[\d.]+(?![\w.])))*)(?![\w.-]*[*…<])/g,
      what: "runner label",
      file: "runners",
      known: new Set(labels),
    },
    {
      pattern: /\b([A-Z][a-z]+Service\/[A-Z]\w+)/g,
      what: "API method",
      file: "api",
      known: new Set(methods),
    },
    {
      pattern: /\{\{(?:origin|host)\}\}\/cache\/([\w-]+)/g,
      what: "cache address",
      file: "cache",
      known: new Set(facts.cache.tools.map(({ id }) => id)),
    },
  ];
}

export function checkText(file: string, text: string, rules: readonly NameRule[]): ContentProblem[] {
  return text.split("\n").flatMap((content, index) =>
    rules.flatMap(({ pattern, what, file: facts, known }) =>
      [...content.matchAll(pattern)].flatMap(([, name = ""]): ContentProblem[] => {
        if (known.has(name) || known.size === 0) return [];
        const message = `There is no ${what} "${name}".${didYouMean(name, [...known])}`;
        const fix = `content/facts/${facts}.yaml lists them.`;
        return [{ file, line: index + 1, rule: "fact-name", severity: "error", message, fix }];
      }),
    ),
  );
}
