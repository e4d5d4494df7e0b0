/** The possible values of a project's settings, and their wording. Pure. */
import type { Project } from "#api/gen/json-types.ts";
import { cutText, formatBytes, plural } from "../../format.ts";

const GB = 1000 ** 3;

const BUILDER_SIZES = [2, 4, 8, 16, 32] as const;
export const DEFAULT_BUILDER_SIZE = 4;
/** `builder.memory`: for each CPU. */
const GB_PER_CPU = 4;

const CACHE_SIZES = [10, 25, 50, 100, 200, 500, 1000].map((size) => size * GB);
const RETENTION_DAYS = [7, 14, 30, 60, 90, 180, 365];

export const describeBuilder = (cpus: number) => `${cpus} CPUs, ${cpus * GB_PER_CPU} GB`;
const describeRetention = (days: number) => plural(days, "day");

export interface Choice {
  value: string;
  label: string;
}

/** The usual values, and the project's own if it differs. */
function choicesOf(usual: readonly number[], current: number, describe: (value: number) => string): Choice[] {
  return [...new Set([...usual, current])]
    .toSorted((one, other) => one - other)
    .map((value) => ({ value: String(value), label: describe(value) }));
}

export const builderChoices = (current: number = DEFAULT_BUILDER_SIZE) =>
  choicesOf(BUILDER_SIZES, current, describeBuilder);
export const cacheChoices = (current: string) => choicesOf(CACHE_SIZES, Number(current), formatBytes);
export const retentionChoices = (current: number) => choicesOf(RETENTION_DAYS, current, describeRetention);

/** Parses the row of patterns: also accepts `2026.*, v*`. */
export const readPatterns = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((pattern) => pattern !== "")),
];
export const patternText = (patterns: readonly string[]) => patterns.join(" ");

const MAX_PATTERNS = 20;
const MAX_PATTERN_LENGTH = 128;

/** Why the server would refuse the patterns. */
export function explainPatterns(text: string): string | undefined {
  const patterns = readPatterns(text);
  if (patterns.length > MAX_PATTERNS) return `Use at most ${MAX_PATTERNS} patterns.`;
  const wrong = patterns.find(
    (pattern) => !/^[\w.*-]+$/.test(pattern) || pattern.length > MAX_PATTERN_LENGTH,
  );
  return wrong === undefined
    ? undefined
    : `${cutText(wrong, 40)} is not a pattern: use letters, digits, “_”, “.” and “-”, and “*” for any of them.`;
}

const describePatterns = (patterns: readonly string[]) => patternText(patterns) || "none";

/** Changes by others since `former` was read: "The name is shop now, it was web." */
export function describeChanges(former: Project, now: Project): string[] {
  const facts: readonly (readonly [what: string, before: string, after: string])[] = [
    ["The name", former.name, now.name],
    ["The builder size", describeBuilder(former.builder_size), describeBuilder(now.builder_size)],
    [
      "The layer cache",
      formatBytes(Number(former.cache_size_bytes)),
      formatBytes(Number(now.cache_size_bytes)),
    ],
    [
      "The time that unused layers are kept",
      describeRetention(former.retention_days),
      describeRetention(now.retention_days),
    ],
    [
      "The list of immutable tags",
      describePatterns(former.immutable_tags),
      describePatterns(now.immutable_tags),
    ],
  ];
  const changes = facts
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what} is now ${after}; it was ${before}.`);
  const trusted = JSON.stringify(former.trust_relationships) !== JSON.stringify(now.trust_relationships);
  return trusted ? [...changes, "The trust relationships have changed."] : changes;
}
