/**
 * 1. Each pattern is found in its examples, and not in the plain texts beside them.
 * 2. Comments, strings, templates and element text of code are read, names and paths are not; a phrase is found over the end of a
 *    line, with the line on which it begins. Comments of styles and schemas are read, and documents without their code.
 * 3. A sentence begins at the beginning of a text, after a full stop, in a cell, in a list, and after an empty
 *    line.
 * 4. A phrase needs an exception with its file and line; an exception that no phrase needs is a failure.
 */
import { describe, expect, test } from "vitest";
import { findDialect, findFailures } from "./plain-english.ts";
import { PATTERNS } from "./plain-english/patterns.ts";

const wordsIn = (file: string, source: string) =>
  findDialect(file, source).map(({ line, words }) => `${line} ${words}`);

describe.each(PATTERNS)("1. $words", (pattern) => {
  test.each(pattern.found)("%s", (text) => {
    expect(findDialect("README.md", text).map((found) => found.pattern)).toContain(pattern);
  });
  test.each(pattern.plain)("not: %s", (text) => {
    expect(findDialect("README.md", text)).toEqual([]);
  });
});

test("2. code", () => {
  const source = `// It stays there for
// ever.
/** It is kept for
 *  ever. */
const nobody = read("for/ever"); const forEver = "kept for ever";
throw new Error(\`\${nobody} sees \${nobody}: it is kept\\nfor ever\`);
export const Part = () => <p title="for ever">Kept for ever.</p>;
`;
  expect(wordsIn("src/a.tsx", source)).toEqual([
    "1 for ever",
    "3 for ever",
    "5 for ever",
    "6 for ever",
    "7 for ever",
    "7 for ever",
  ]);
});

test("2. other files", () => {
  expect(wordsIn("src/a.css", "/* Stays for\n * ever. */\n.for { content: 'for ever'; }")).toEqual([
    "1 for ever",
  ]);
  expect(wordsIn("proto/a.proto", "// Kept for\n// ever.\nstring a = 1; // for ever")).toEqual([
    "1 for ever",
    "3 for ever",
  ]);
  expect(wordsIn("docs/a.mdx", "It says `for ever`.\n\n```sh\n# for ever\n```\n\n> for\n> ever")).toEqual([
    "7 for ever",
  ]);
  expect(wordsIn("deploy/a.yaml", "# Kept for\n# ever.\na: 1")).toEqual(["1 for ever"]);
});

test("3. where a sentence begins", () => {
  expect(
    wordsIn("a.md", "Of one.\nBoth. Of two. The Of three.\n\nOf four\n| Of five |\n- a\n- Of six"),
  ).toEqual(["1 Of one", "2 Of two", "4 Of four", "5 Of five", "7 Of six"]);
});

test("4. exceptions", () => {
  const files = [["README.md", "Somebody is here.\nIt is kept for ever."]] as const;
  const reason = "A quotation.";
  const [first, second] = [
    { file: "README.md", line: /^Somebody/, reason },
    { file: "README.md", line: /^Anyone/, reason },
  ];
  expect(findFailures(files, [])).toEqual([
    'README.md:1 "Somebody": write "no one", "someone", "everyone", or the role.',
    'README.md:2 "for ever": write "forever".',
  ]);
  expect(findFailures(files, [first])).toHaveLength(1);
  expect(findFailures(files, [first, second])).toEqual([
    'README.md:2 "for ever": write "forever".',
    "scripts/checks/plain-english/exceptions.ts: README.md needs no exception for /^Anyone/. Remove it.",
  ]);
});
