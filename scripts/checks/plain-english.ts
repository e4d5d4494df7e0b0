/**
 * The check "plain english": comments, strings and documents do not fall back into the dense sentences that "Write plain English"
 * in `CONTRIBUTING.md` lists. It finds the rows of `plain-english/patterns.ts`; reviewers find the rest.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { isCode } from "../imports/import-graph.ts";
import { listFiles } from "../imports/list-files.ts";
import { EXCEPTIONS, NOT_READ, type EnglishException } from "./plain-english/exceptions.ts";
import { PATTERNS, type Pattern } from "./plain-english/patterns.ts";
import { readProse, withoutMarks } from "./plain-english/read-prose.ts";
import type { CheckResult } from "./run-checks.ts";

/** Files with prose, apart from code. */
const READ =
  /\.(?:css|proto|mdx?|ya?ml|html|sh|ps1|conf|service|env)$|^\.ci\/run$|(?:^|\/)(?:Dockerfile|Caddyfile|CODEOWNERS)$/;

interface FoundWords {
  file: string;
  /** From 1. */
  line: number;
  words: string;
  pattern: Pattern;
}

const compile = (words: string) => new RegExp(words.replaceAll(" ", "\\s+"), "g");
const EXPRESSIONS = PATTERNS.map((pattern) => ({ pattern, expression: compile(pattern.words) }));
const ANY = new RegExp(EXPRESSIONS.map(({ expression }) => expression.source).join("|"));
const SENTENCE_START = /(?:^|[.:!?|]\s|\n[ \t]*-|\n\s*\n)\s*$/;

export function checkPlainEnglish(): Promise<CheckResult> {
  const files = listFiles().filter(
    (file) => (isCode(file) || READ.test(file)) && !NOT_READ.some(([paths]) => paths.test(file)),
  );
  const failures = findFailures(
    files.map((file) => [file, readFileSync(join(root, file), "utf8")]),
    EXCEPTIONS,
  );
  const report = failures.join("\n");
  return Promise.resolve({ passed: files.length - failures.length, failed: failures.length, report });
}

/** @returns a message for each phrase without an exception, and for each exception that no phrase needs. */
export function findFailures(
  files: readonly (readonly [file: string, source: string])[],
  exceptions: readonly EnglishException[],
): string[] {
  const unused = new Set(exceptions);
  const failures: string[] = [];
  for (const [file, source] of files)
    for (const { line, words, pattern } of findDialect(file, source)) {
      const text = source.split("\n")[line - 1] ?? "";
      const exception = exceptions.find((each) => each.file === file && each.line.test(text));
      if (exception) unused.delete(exception);
      else failures.push(`${file}:${line} "${words}": write ${pattern.instead}.`);
    }
  for (const { file, line } of unused)
    failures.push(
      `scripts/checks/plain-english/exceptions.ts: ${file} needs no exception for ${String(line)}. Remove it.`,
    );
  return failures;
}

export function findDialect(file: string, source: string): FoundWords[] {
  // Parsing takes most of the time, and few files have such words anywhere.
  if (!ANY.test(withoutMarks(source))) return [];
  const found = readProse(file, source).flatMap(({ text, start }) =>
    EXPRESSIONS.flatMap(({ pattern, expression }) =>
      [...text.matchAll(expression)]
        .filter(({ index }) => !pattern.isFirst || SENTENCE_START.test(text.slice(0, index)))
        .map(({ 0: words, index }) => ({ words: words.replace(/\s+/g, " "), at: start + index, pattern })),
    ),
  );
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ words, at, pattern }) => ({
      file,
      line: source.slice(0, at).split("\n").length,
      words,
      pattern,
    }));
}
