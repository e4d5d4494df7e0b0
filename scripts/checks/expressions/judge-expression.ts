import { isSafePattern } from "redos-detector";
import { createStepCounter, MAX_STEPS, type StepCounter } from "./count-steps.ts";

export interface Verdict {
  /** A text of super-linear cost. Null if none is known or possible. */
  attack: string | null;
  /** Why it could not be judged. */
  problem: string | null;
}

/** How often the repeated part of an attack is repeated. With twice as many, linear work doubles; other work grows faster. */
const REPEATS = 24;
const SUPER_LINEAR = 2.9;
/** Steps below which growth is not meaningful. */
const MIN_STEPS = 400;
/** Characters of a sample that are divided into a start and a repeated part. */
const MAX_SAMPLE = 24;
/** The detector's limit. An expression that needs more is tried like a suspicious one. */
const MAX_DETECTOR_STEPS = 2000;

/**
 * Whether a text of n characters can cost more than about n steps. The detector (redos-detector) compares all paths through
 * the expression and accepts it if each text has one path. Expressions with several paths, or with lookarounds, which it ignores,
 * are tried: a counting matcher searches texts made of the expression's own characters.
 */
export function judgeExpression(named: string, flags: string): Verdict {
  // Group names do not affect the cost, and the detector's parser does not support them.
  const source = named.includes("\\k<") ? named : named.replaceAll(/\(\?<(?![=!])[^>]*>/g, "(");
  let steps: StepCounter;
  try {
    steps = createStepCounter(source, flags);
  } catch (error) {
    return { attack: null, problem: error instanceof Error ? error.message : String(error) };
  }
  const isSuspect = !passesDetector(source, flags) || (steps.hasLookaround && /[*+}]/.test(source));
  return { attack: isSuspect ? findAttack(steps) : null, problem: null };
}

function passesDetector(source: string, flags: string): boolean {
  return isSafePattern(source, {
    caseInsensitive: flags.includes("i"),
    unicode: /[uv]/.test(flags),
    dotAll: flags.includes("s"),
    multiLine: flags.includes("m"),
    maxSteps: MAX_DETECTOR_STEPS,
  }).safe;
}

/** Possible text before and after the repeated part, besides the sample's own. */
const STARTS = ["", "\u0000"];
/** Single letters continue a word where a `\b` expects its end; the repeated part accepts some of them, but hardly all. */
const ENDS = ["", "\u0000", "\n", "\nx\n", "a", "Z", "0", "_"];

/** Every way to divide the sample into a start, a repeated part and an end that does not match. */
function findAttack(steps: StepCounter): string | null {
  const samples = new Set([steps.sample.slice(0, MAX_SAMPLE), steps.sample.slice(-MAX_SAMPLE)]);
  for (const sample of samples)
    for (const [head, part] of divisionsOf(sample))
      for (const start of STARTS)
        for (const end of ENDS)
          if (isSuperLinear(steps, (times) => start + head + part.repeat(times) + end))
            return `${JSON.stringify(start + head)} + ${JSON.stringify(part)}.repeat(50_000) + ${JSON.stringify(end)}`;
  return null;
}

function* divisionsOf(sample: string): Generator<[head: string, part: string]> {
  for (let from = 0; from < sample.length; from++)
    for (let to = from + 1; to <= sample.length; to++) yield [sample.slice(0, from), sample.slice(from, to)];
}

function isSuperLinear(steps: StepCounter, attack: (times: number) => string): boolean {
  const once = steps.count(attack(REPEATS));
  if (once >= MAX_STEPS) return true;
  const twice = steps.count(attack(2 * REPEATS));
  return twice > MIN_STEPS && twice > once * SUPER_LINEAR;
}
