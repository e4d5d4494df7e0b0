/**
 * The check "regular expressions": no expression that sees strangers' input may have super-linear cost. Judgements are kept in
 * `.cache`, keyed by the expression and by the judge's own source.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  EXCEPTIONS,
  EXCLUDED_FOLDERS,
  SERVER_FOLDERS,
  type ExpressionException,
} from "./expressions/exceptions.ts";
import { findExpressions, type FoundExpression } from "./expressions/find-expressions.ts";
import { judgeExpression, type Verdict } from "./expressions/judge-expression.ts";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import type { CheckResult } from "./run-checks.ts";

const sourceFolder = join(root, "src");
const cacheFile = join(cacheFolder, "regular-expressions.json");

/** Every expression in the source, including new folders; `EXCLUDED_FOLDERS` lists skipped folders and the reasons. */
export async function checkExpressions(): Promise<CheckResult> {
  const known = await readVerdicts();
  const judge = (source: string, flags: string) =>
    (known.verdicts[`/${source}/${flags}`] ??= judgeExpression(source, flags));
  const found: FoundExpression[] = [];
  for (const file of await listSources())
    found.push(...findExpressions(file, await readFile(join(sourceFolder, file), "utf8")));
  const failures = findFailures(found, judge, EXCEPTIONS);
  await mkdir(dirname(cacheFile), { recursive: true });
  await writeFile(cacheFile, JSON.stringify(known));
  return { passed: found.length - failures.length, failed: failures.length, report: failures.join("\n\n") };
}

/** @returns one message for each expression that is super-linear or cannot be judged, and each exception without one. */
export function findFailures(
  found: readonly FoundExpression[],
  judge: (source: string, flags: string) => Verdict,
  exceptions: readonly ExpressionException[],
): string[] {
  const unused = new Set(exceptions);
  const failures: string[] = [];
  for (const expression of found) {
    const problem = problemOf(expression, judge);
    if (problem === null) continue;
    const exception = exceptions.find(
      ({ file, code }) => file === expression.file && code === expression.code,
    );
    if (exception) unused.delete(exception);
    else failures.push(`src/${expression.file}:${expression.line} ${expression.code}\n  ${problem}`);
  }
  for (const { file, code } of unused)
    failures.push(
      `exceptions.ts names ${code} in src/${file}: it no longer exists, or is harmless. Remove the entry.`,
    );
  return failures;
}

const remedy =
  "Write it so that its parts cannot take the same characters, use a loop, or name it in scripts/checks/expressions/exceptions.ts with what bounds its text.";

function problemOf(
  { source, flags }: FoundExpression,
  judge: (source: string, flags: string) => Verdict,
): string | null {
  if (source === null) return `It is made while the program runs and cannot be judged. ${remedy}`;
  const { attack, problem } = judge(source, flags);
  if (problem !== null) return `It cannot be judged (${problem}). ${remedy}`;
  return attack === null ? null : `It costs more than the length of its text: ${attack}. ${remedy}`;
}

async function listSources(): Promise<string[]> {
  const names = await readdir(sourceFolder, { recursive: true });
  return names
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name))
    .filter((name) => !EXCLUDED_FOLDERS.some(([folder]) => isLeftOut(name, folder)))
    .sort();
}

/** Code that runs on the server is checked wherever it is. */
function isLeftOut(name: string, folder: string): boolean {
  return name.startsWith(folder) && !SERVER_FOLDERS.some((part) => name.slice(folder.length).includes(part));
}

interface Verdicts {
  judge: string;
  verdicts: { [expression: string]: Verdict };
}

/** Judgements of another version of the judge are dropped. */
async function readVerdicts(): Promise<Verdicts> {
  const parts = ["expressions/judge-expression.ts", "expressions/count-steps.ts", "../../package-lock.json"];
  const hash = createHash("sha256");
  for (const part of parts) hash.update(await readFile(join(import.meta.dirname, part)));
  const judge = hash.digest("hex");
  const text = await readFile(cacheFile, "utf8").catch(() => "null");
  const kept = JSON.parse(text) as Verdicts | null;
  return kept?.judge === judge ? kept : { judge, verdicts: {} };
}
