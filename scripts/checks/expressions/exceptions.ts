/** Exceptions to the check "regular expressions", each with its reason. */

/** Folders below `src/` whose expressions never see a stranger's input to the server, except in `SERVER_FOLDERS`. */
export const EXCLUDED_FOLDERS: readonly [path: string, reason: string][] = [
  ["docs/", "reads the repository's own pages, at build"],
  ["app/", "runs in the operator's browser"],
  ["telemetry/browser/", "runs in a reader's browser, on its own texts"],
  ["site/boot/", "runs in a reader's browser, on its own page"],
  ["site/docs/late/own/", "runs in the reader's browser, on the samples of its own page"],
  ["site/.server/social/", "draws images of the repository's own pages, at build"],
];

/** Always checked, even below these: they answer pages and agents (`docs/mcp/`). */
export const SERVER_FOLDERS: readonly string[] = [".server/", "mcp/"];

export interface ExpressionException {
  /** Below `src/`. */
  file: string;
  /** As in the source. */
  code: string;
  /** What bounds the text, or who is the only one to write it. */
  reason: string;
}

/** Packages' source, read through source maps: `findEnclosingFunction` looks at lines of at most 300 characters. */
const SHORT_LINES = "lines are at most 300 characters, and 400 of them are looked at";
const OWN_FILES = "reads files of the repository";
const CONFIGURATION = "reads what the operator has configured, at start";

/** A pasted text: `MAX_LINE` and `MAX_LINES` of `error-query.ts` and `clean-line.ts`. */
const PASTED_LINES = "lines are cut at 2,000 characters, and 400 of them are looked at";

/** `MAX_SENTENCE_LENGTH` of `answers/contract/limits.ts`, and what `split-sentences.ts` keeps beyond it. */
const SENTENCES = "looks at one sentence of a model, of at most 600 characters";

export const EXCEPTIONS: readonly ExpressionException[] = [
  {
    file: "answers/sentences/check-sentence.ts",
    code: "/^[(\"'“‘[*_]+|[)\"'”’\\].,;:!?*_]+$/g",
    reason: SENTENCES,
  },
  {
    file: "answers/sentences/check-sentence.ts",
    code: String.raw`/\d[\d.,]*[ \u00a0-]?[KMGTP]i?B\b/g`,
    reason: SENTENCES,
  },
  {
    file: "answers/sentences/parse-sentence.ts",
    code: String.raw`/\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g`,
    reason: SENTENCES,
  },
  {
    file: "answers/sentences/split-sentences.ts",
    code: String.raw`/(?:\s*\[[\d,\s]*\][.!?]*)*\s*$/`,
    reason: SENTENCES,
  },
  {
    file: "answers/sentences/split-sentences.ts",
    code: String.raw`/[.!?]["”’')*]*(?:\s*\[[\d,\s]*\][.!?]*)*\s+$|[.!?]["”’')*]*\s*(?:\s*\[[\d,\s]*\][.!?]*)+$/`,
    reason: SENTENCES,
  },
  { file: "answers/sentences/split-sentences.ts", code: String.raw`/[.!?\s]+$/`, reason: SENTENCES },
  {
    file: "answers/sentences/words.ts",
    code: `new RegExp(
  \`(?<![\\\\p{L}\\\\p{N}_.])(\\\\d+(?:\\\\.\\\\d+)?|(?:\${[...NUMBER_WORDS.keys()].join("|")})(?![\\\\p{L}_]))(?:[ \\\\u00a0\\\\u202f-]?(%|\\\\p{L}+(?:/s)?))?\`,
  "giu",
)`,
    reason:
      "looks at one sentence of a model, or at passages of the documentation of at most 2,400 characters",
  },
  {
    file: "site/docs/anywhere/paste/clean-line.ts",
    code: "/\\[[^\\]\\s]{0,40} ?\\d{1,4}\\/\\d{1,4}\\]/g",
    reason: PASTED_LINES,
  },
  {
    file: "site/docs/anywhere/paste/clean-line.ts",
    code: "/(?:@?\\bsha(?:256|512):)?\\b(?=[a-f]{0,64}\\d)[0-9a-f]{7,128}\\b/gi",
    reason: PASTED_LINES,
  },
  {
    file: "site/docs/anywhere/paste/clean-line.ts",
    code: "/(?<=\\.(?:[cm]?[jt]sx?|rs|go|py|java|kt|rb|php|cs|c|cc|cpp|h|sh|ya?ml|toml|json|mod)):\\d{1,6}(?::\\d{1,6})?/gi",
    reason: PASTED_LINES,
  },
  {
    file: "search/sort/compile-sort.ts",
    code: "new RegExp(`^_geoPoint\\\\(${number},${number}\\\\)$`)",
    reason: "anchored, of two numbers and a comma that is in none of them",
  },
  {
    file: "search/text/tokenize.ts",
    code: `new RegExp(
    special.map((text) => text.replace(/[\\\\^$.*+?()[\\]{}|/]/g, "\\\\$&")).join("|"),
    "giu",
  )`,
    reason: "alternatives of fixed texts, without repetition",
  },
  {
    file: "search-server/upstream/upstream.ts",
    code: String.raw`/\/+$/`,
    reason: CONFIGURATION,
  },
  {
    file: "site-config.ts",
    code: String.raw`/^(mailto:\S+@\S+|https:\/\/\S+)$/`,
    reason: CONFIGURATION,
  },
  {
    file: "docs/mcp/page-sections.ts",
    code: "/^\\s*(`{3,}|~{3,})(.*)$/",
    reason: OWN_FILES,
  },
  { file: "docs/mcp/page-sections.ts", code: String.raw`/\]\([^)]*\)/g`, reason: OWN_FILES },
  { file: "site/ui/sprite.ts", code: String.raw`/<title>.*?<\/title>/s`, reason: OWN_FILES },
  { file: "site/ui/sprite.ts", code: String.raw`/\s*\n\s*/g`, reason: OWN_FILES },
  {
    file: "telemetry/errors/enclosing-function.ts",
    code: String.raw`/\bfunction\s*\*?\s*([\w$]+)\s*[(<]/`,
    reason: SHORT_LINES,
  },
  {
    file: "telemetry/errors/enclosing-function.ts",
    code: String.raw`/\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/`,
    reason: SHORT_LINES,
  },
  {
    file: "telemetry/errors/enclosing-function.ts",
    code: String.raw`/[{(>]\s*$|=>\s*\S*$/`,
    reason: SHORT_LINES,
  },
  {
    file: "app/.server/frame-page.ts",
    code: "/<!-- without-answers -->[^]*<!-- \\/without-answers -->/",
    reason: "reads the application's own page as it was built",
  },
];
