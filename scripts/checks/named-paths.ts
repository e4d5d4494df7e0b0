/**
 * The check "named paths": every repository file and folder named in a comment, a message or a document exists.
 *
 *   scripts/checks/named-paths.ts    from the top: the file or folder is there; `*` stands for a name, `**` for folders
 *   ../imports/list-files.ts         from the folder of the file that names it
 *   rank/admit.ts, admit.ts          from any folder: the end of a file's path
 *   decision 017, decisions/017      a file in decisions/ begins with the number
 */
import { readFileSync } from "node:fs";
import { join, matchesGlob, posix } from "node:path";
import { parseSync } from "vite";
import { root } from "#server/pages/build-folders.ts";
import { isCode, isTest } from "../imports/import-graph.ts";
import { listFiles } from "../imports/list-files.ts";
import type { CheckResult } from "./run-checks.ts";

/** Documents, which are read in full. */
const DOCUMENT = /^(?:[A-Z]+\.md|decisions\/\d.*\.md|(?:src|bench|scripts|tests)\/.*\.md)$/;

const TOP = "src|scripts|tests|bench|content|decisions|public|runtime|\\.ci|\\.github";
const FROM_TOP = new RegExp(`(?<![\\w./#@-])(?:\\./)?((?:${TOP})/[\\w.*/@-]*[\\w*/])(?![\\w$])`, "g");
const ANY_FILE = /(?<![\w./@*<-])#?((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mts|mjs|css|mdx?))(?![\w/*-]|\.\w)/g;
const DECISION = /\bdecisions?[ /](\d{3})\b/g;

/** Names that look like files of the repository but are not. */
const OTHERS: readonly RegExp[] = [
  // An example of any file.
  /(?:^|\/)x\.\w+$/,
  // Files of readers' own repositories and of packages, in examples.
  /^\.github\/workflows\/(?:image|millrace)\.yml$|^scripts\/sprites\.mjs$|^src\/module$|^docs\/faq\.md$|01-install\.md$|^node_modules\//,
  // Sources of the shop that is built in tests.
  /^src\/(?:(?:main|test|python)\/|main\.rs$|cart\.ts$)/,
  // The room that CONTRIBUTING.md prints.
  /^src\/greeting\/open-greeting\.ts$/,
  // Corpora that are downloaded for `bench/`, and images that the build draws.
  /^bench\/\.corpora|^public\/images\/?$/,
];

interface Named {
  path: string;
  line: number;
}

export async function checkNamedPaths(): Promise<CheckResult> {
  const files = listFiles();
  const exists = createLookup(files);
  const read = files.filter((file) => isCode(file) || DOCUMENT.test(file) || file.endsWith(".css"));
  const failures = read.flatMap((file) =>
    findNames(file, readFileSync(join(root, file), "utf8"))
      .filter(({ path }) => !OTHERS.some((other) => other.test(path)) && !exists(path, file))
      .map(({ path, line }) => `${file}:${line} names ${path}, which does not exist.`),
  );
  return { passed: read.length, failed: failures.length, report: failures.join("\n") };
}

/** Whether a path, or the end of a path, that `file` names belongs to a file or folder of the repository. */
export function createLookup(files: readonly string[]): (path: string, file: string) => boolean {
  const ends = new Set<string>();
  const folders = new Set<string>();
  for (const file of files) {
    const names = file.split("/");
    for (let from = 0; from < names.length; from++) ends.add(names.slice(from).join("/"));
    for (let to = 1; to < names.length; to++) folders.add(names.slice(0, to).join("/"));
  }
  return (named, file) => {
    const isRelative = /^\.\.?\//.test(named);
    const path = (isRelative ? posix.join(posix.dirname(file), named) : named).replace(/\/$/, "");
    if (/^decisions\/\d+$/.test(path)) return files.some((file) => file.startsWith(`${path}-`));
    if (path.includes("*")) return [...files, ...folders].some((file) => matchesGlob(file, path));
    return ends.has(path) || folders.has(path);
  };
}

/** The paths that a file names: in all its text if it is a document, else in comments and, unless it is a test, in messages. */
export function findNames(file: string, text: string): Named[] {
  const found = proseOf(file, text).flatMap(({ words, start, isMessage }) => {
    const named = (pattern: RegExp, prefix = "") =>
      [...words.matchAll(pattern)].map((match) => ({ path: prefix + match[1], at: start + match.index }));
    return isMessage
      ? named(FROM_TOP)
      : [...named(FROM_TOP), ...named(ANY_FILE), ...named(DECISION, "decisions/")];
  });
  const lineOf = (at: number) => text.slice(0, at).split("\n").length;
  const lines = found.map(({ path, at }) => ({ path, line: lineOf(at) }));
  return [...new Map(lines.map((one) => [`${one.line} ${one.path}`, one])).values()];
}

interface Prose {
  words: string;
  /** Where it starts in the file. */
  start: number;
  /** The code itself, searched only for paths from the top: they are part of messages. */
  isMessage?: boolean;
}

function proseOf(file: string, text: string): Prose[] {
  if (file.endsWith(".css"))
    return [...text.matchAll(/\/\*.*?\*\//gs)].map(({ 0: words, index }) => ({ words, start: index }));
  if (!isCode(file)) return [{ words: text, start: 0 }];
  const { comments } = parseSync(file, text);
  const prose = comments.map(({ value, start }): Prose => ({ words: value, start: start + 2 }));
  return isTest(file) ? prose : [...prose, { words: text, start: 0, isMessage: true }];
}
