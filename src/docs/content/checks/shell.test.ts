/**
 * Properties of shell text in samples:
 * 1. It becomes commands with their lines: without quotes, continued lines joined, here-documents left out, commands inside
 *    `$(…)` and backquotes included. Placeholders of readers and of CI providers are words.
 * 2. Text that a shell refuses is a mistake at its line.
 * 3. It is found in terminals, Dockerfiles and the files of CI providers, with the line in the page's file, and nowhere else.
 */
import { describe, expect, test } from "vitest";
import { checkShell } from "./check-shell.ts";
import { pageOf, sample } from "./page-fixture.ts";
import { readShell } from "./shell-commands.ts";
import { shellSources } from "./shell-sources.ts";

test("commands and their lines", () => {
  const text = `a "b c" d\\ e 'f'"g" # no\n\\\nh=1 i 2>&1 | j && k <<EOF; l\nnot a command\nEOF\nm "$(n \`o\`)" '' -p <a token>`;
  const { commands, mistakes } = readShell(text);
  expect(mistakes).toEqual([]);
  expect(commands).toEqual([
    { line: 1, words: ["a", "b c", "d e", "fg"] },
    { line: 3, words: ["i"] },
    { line: 3, words: ["j"] },
    { line: 3, words: ["k"] },
    { line: 3, words: ["l"] },
    { line: 6, words: ["o"] },
    { line: 6, words: ["n", "`o`"] },
    { line: 6, words: ["m", "$(n `o`)", "", "-p", "…".repeat("<a token>".length)] },
  ]);
});

const mistakesIn = (language: string, code: string) =>
  checkShell([pageOf({ samples: [sample(language, code)] })]).map(({ line, rule, message }) => [
    line,
    rule,
    message.replace(/^Not valid shell: /, ""),
  ]);

test.each([
  ["bash", "for x in a b; do\n  echo $x", 11, "do"],
  ["bash", "a\necho 'b", 11, "unterminated single quote"],
  ["sh", 'x="$(a | )"', 10, "after '|'"],
  ["bash", "cat <<EOF\nx", 10, 'the here-document "EOF" has no end'],
  ["console", "$ ls\n(output\n$ a | \n> ", 12, "expected"],
  ["yaml", "a:\n  script:\n    - ls\n    - |\n      ls\n      fi", 15, "unexpected token 'fi'"],
  ["yaml", "steps:\n  - run: if x; then y", 11, "'fi'"],
  ["dockerfile", "FROM a\nRUN --mount=type=cache,target=/x \\\n  # why\n  a && \\\n  (b", 14, "expected"],
  ["dockerfile", "FROM a\nRUN <<EOF\nls\ndone\nEOF", 13, "unexpected token 'done'"],
  ["groovy", "sh '''\n  ls\n  esac\n'''", 12, "unexpected token 'esac'"],
  ["makefile", "all:\n\t@ls $(X) $$Y\n\tfi", 12, "unexpected token 'fi'"],
])("%s %j is refused", (language, code, line, message) => {
  const [first] = mistakesIn(language, code);
  expect(first).toEqual([line, "shell", expect.stringContaining(message)]);
});

test.each([
  ["console", "$ ls\n(output's"],
  ["bash", "docker login {{host}} -u x-token -p <token>"],
  ["yaml", "steps:\n  - run: echo ${{ github.ref && 'a' }}\nname: it's (a\n"],
  ["yaml", 'args:\n  - -ceu\n  - |\n    a="$$(b)"'],
  ["dockerfile", 'FROM a\nRUN ["a", "b"]\nRUN a \\\n  # it\'s\n  && b\nCMD ["x"]'],
  ["text", "("],
])("%s %j is fine", (language, code) => expect(mistakesIn(language, code)).toEqual([]));

describe("sources", () => {
  test("a diff has none", () => {
    expect(shellSources(sample("bash", "ls", { diff: true }))).toEqual([]);
  });

  test("Cloud Build's script is the last argument of a shell", () => {
    const code = "steps:\n  - args: [build, .]\n  - args:\n      - -c\n      - ls $$HOME";
    expect(shellSources(sample("yaml", code))).toEqual([{ text: "ls $HOME", line: 14 }]);
  });
});
