/**
 * Whether a command printed what its page shows. Pages have sample values: ids, hashes, times, secrets and codes may
 * differ in value but not in form, columns may be wider, and `…` stands for anything.
 */

/** Text on a page → what may be printed instead. The first match wins. */
const VALUES: readonly [RegExp, string][] = [
  [/…/, ".*"],
  [/\b(?:org|prj|tok|usr|inv|bld)_[0-9a-z]{10}\b/, "(?:org|prj|tok|usr|inv|bld)_[0-9a-z]{10}"],
  // A build's step, with the seconds at which it printed a line.
  [/^#\d+\b(?: \d+\.\d{3}\b)?/, "#\\d+(?: \\d+\\.\\d{3})?"],
  [/\b\d\d:\d\d\b(?!:)/, "\\d\\d:\\d\\d"],
  [/\bmr_(?:user|org|prj|job)_[0-9A-Za-z]+/, "mr_(?:user|org|prj|job)_[0-9A-Za-z]+"],
  // The time format of crane's log.
  [/\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/, "\\d{4}\\/\\d\\d\\/\\d\\d \\d\\d:\\d\\d:\\d\\d"],
  [/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/, "\\d{4}-\\d\\d-\\d\\d(?:T[\\d:.]+Z)?"],
  [/\b\d\d:\d\d:\d\d\.\d\d\b/, "\\d\\d:\\d\\d:\\d\\d\\.\\d\\d"],
  [/\b\d+(?:\.\d+)?m?s\b(?: \d+ms\b)?/, "\\d+(?:\\.\\d+)?m?s(?: \\d+ms)?"],
  // A key: some tools omit leading zeros.
  [/\b[0-9a-f]{8,64}\b/, "[0-9a-f]{7,64}"],
  [/\b[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}\b/, "[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}"],
  [/\bv?\d+\.\d+\.\d+\b/, "v?\\d+\\.\\d+\\.\\d+"],
  [/"next_page_token":"[\w-]*"/, '"next_page_token":"[\\w-]*"'],
  [/[ \t]+/, "[ \\t]+"],
];

const ANY_VALUE = new RegExp(VALUES.map(([{ source }]) => source).join("|"), "g");

/** One line of a page as a pattern for the line that a command prints. */
export function linePattern(line: string): RegExp {
  let pattern = "";
  let at = 0;
  for (const match of line.matchAll(ANY_VALUE)) {
    pattern += escapePattern(line.slice(at, match.index));
    pattern += VALUES.find(([value]) => new RegExp(`^(?:${value.source})$`).test(match[0]))?.[1] ?? "";
    at = match.index + match[0].length;
  }
  return new RegExp(`^${pattern}${escapePattern(line.slice(at))}$`);
}

const STEP = /^#(\d+)\b/;

/**
 * Steps of a build (`#9 …`) begin in any order, and keep their own: lines with the same number on the page have the
 * same number in the output.
 * @returns the first line of the page that the output lacks, null when all are there, in order
 */
export function findMissingLine(expected: readonly string[], output: string): string | null {
  const printed = output.split("\n").map((line) => line.trimEnd());
  /** The page's steps: the number of each in the output, and the position after its last line there. */
  const steps = new Map<string, { printed: string; at: number }>();
  let [at, beforeSteps] = [0, 0];
  for (const line of expected.map((text) => text.trimEnd()).filter((text) => text !== "")) {
    const pattern = linePattern(line);
    const number = STEP.exec(line)?.[1];
    const step = number === undefined ? undefined : steps.get(number);
    const from = number === undefined ? at : (step?.at ?? beforeSteps);
    const isOf = (text: string) => !step || STEP.exec(text)?.[1] === step.printed;
    const found = printed.findIndex((text, index) => index >= from && isOf(text) && pattern.test(text));
    if (found === -1) return line;
    at = Math.max(at, found + 1);
    if (number === undefined) {
      beforeSteps = at;
      steps.clear();
    } else steps.set(number, { printed: STEP.exec(printed[found]!)?.[1] ?? "", at: found + 1 });
  }
  return null;
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
