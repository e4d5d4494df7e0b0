import type { ContentProblem } from "./types.ts";

/** `file:line  rule  message`, then the correction, indented. */
export function formatProblem(problem: ContentProblem): string {
  const severity = problem.severity === "warning" ? "warning: " : "";
  const head = `${problem.file}:${problem.line}  ${problem.rule}  ${severity}${problem.message}`;
  return [head, ...problem.fix.split("\n").map((line) => `    ${line}`.trimEnd())].join("\n");
}

export function lineOf(node: { position?: { start: { line: number } } | undefined }): number {
  return node.position?.start.line ?? 1;
}

/** Collects the problems of one file. */
export class ProblemList {
  readonly problems: ContentProblem[] = [];
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  error(line: number, rule: string, message: string, fix: string): void {
    this.problems.push({ file: this.file, line, rule, severity: "error", message, fix });
  }

  warn(line: number, rule: string, message: string, fix: string): void {
    this.problems.push({ file: this.file, line, rule, severity: "warning", message, fix });
  }
}

/** The candidate that the writer most likely meant; undefined if none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(4, Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    const distance = isStart(word, candidate) ? 1 : editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** "warning" for "warn", "kube" for "kubernetes": closer than their edit distance suggests. */
function isStart(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && !a.includes("/") && (a.startsWith(b) || b.startsWith(a));
}

/** ` Did you mean "x"?`, or the whole list if it is short, or "". */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  return candidates.length > 0 && candidates.length <= 12 ? ` There are: ${candidates.join(", ")}.` : "";
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
