/**
 * 1. Names in documents, comments and messages are found with their line: paths from the top, file names, decisions.
 * 2. Code, test data and web addresses are not names.
 * 3. A name may be relative to the top or to the file that names it, or be the end of a path, a number or a pattern.
 */
import { expect, test } from "vitest";
import { createLookup, findNames } from "./named-paths.ts";

const names = (file: string, text: string) =>
  findNames(file, text).map(({ path, line }) => `${line} ${path}`);

test("1. names", () => {
  expect(
    names(
      "README.md",
      "See [a](src/search/index.ts),\n`rank/admit.ts`, #search/b.ts, decision 017 and src/**/x-*.ts.",
    ),
  ).toEqual([
    "1 src/search/index.ts",
    "2 src/**/x-*.ts",
    "2 rank/admit.ts",
    "2 search/b.ts",
    "2 decisions/017",
  ]);
  expect(names("src/a.ts", "const a = 1;\n/** As in b.ts\n * (../c.ts). */\nconst b = 2; // src/d/")).toEqual(
    ["2 b.ts", "3 ../c.ts", "4 src/d/"],
  );
  expect(names("src/a.css", "a { }\n/* See theme.css. */")).toEqual(["2 theme.css"]);
  expect(names("src/a.ts", "throw new Error(`Write it to content/terms.yaml.`);")).toEqual([
    "1 content/terms.yaml",
  ]);
});

test("2. no names", () => {
  expect(
    names("src/a.ts", 'import { b } from "./b.ts";\nimport { c } from "../c/d.ts"; const e = "f.ts";'),
  ).toEqual([]);
  expect(names("src/a.test.ts", 'const a = "src/nowhere.ts";')).toEqual([]);
  expect(names("README.md", "https://example.com/src/a.ts, `src/${name}.ts`, *.ts, foo.tsx.map")).toEqual([]);
});

test("3. what exists", () => {
  const exists = createLookup(["README.md", "src/search/rank/admit.ts", "decisions/017-preview-by-part.md"]);
  const isThere = (path: string) => exists(path, "src/search/query/retrieve.ts");
  expect(
    [
      "src/search",
      "src/search/",
      "src/search/rank/admit.ts",
      "../rank/admit.ts",
      "rank/admit.ts",
      "admit.ts",
    ].map(isThere),
  ).toEqual(Array(6).fill(true));
  expect(["src/*/rank/*.ts", "src/**/admit.ts", "decisions/017"].map(isThere)).toEqual(Array(3).fill(true));
  expect(
    ["src/rank", "./admit.ts", "query/admit.ts", "dmit.ts", "src/*/admit.ts", "decisions/018"].map(isThere),
  ).toEqual(Array(6).fill(false));
});
