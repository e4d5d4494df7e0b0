/**
 * 1. The groups of `content/synonyms.yaml` are read unchanged; a repository without the file has none.
 * 2. A group of one word, a number, or invalid YAML is a problem with its line.
 * 3. The concepts of `content/concepts.yaml` follow them; one of two words, or without a meaning, is a problem.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSynonyms } from "./synonyms.ts";

function loadText(yaml: string, file = "synonyms") {
  const root = mkdtempSync(join(tmpdir(), "synonyms-"));
  mkdirSync(join(root, "content"));
  writeFileSync(join(root, `content/${file}.yaml`), yaml);
  return loadSynonyms(root);
}

test("1. groups", () => {
  expect(loadText('# Names.\n- [k8s, kubernetes]\n- ["c#", .net]\n')).toEqual({
    synonyms: [
      ["k8s", "kubernetes"],
      ["c#", ".net"],
    ],
    problems: [],
  });
  const empty = mkdtempSync(join(tmpdir(), "synonyms-"));
  expect(loadSynonyms(empty)).toEqual({ synonyms: [], problems: [] });
  expect(loadSynonyms(process.cwd()).synonyms).toContainEqual(["k8s", "kubernetes"]);
});

test.each([
  ["- [k8s, kubernetes]\n- [alone]\n", 2, /at least two words/],
  ["- [2, two]\n", 1, /expected string/],
  ["- [k8s, kubernetes\n", 1, /Not YAML/],
])("2. %j", (yaml, line, message) => {
  const { synonyms, problems } = loadText(yaml);
  expect(synonyms).toEqual([]);
  expect(problems).toMatchObject([{ file: "content/synonyms.yaml", severity: "error" }]);
  expect(problems[0]?.line).toBeGreaterThanOrEqual(line);
  expect(problems[0]?.message).toMatch(message);
});

test("3. concepts", () => {
  expect(loadText("- { typed: [2fa], means: [passkey] }\n", "concepts")).toEqual({
    synonyms: [{ typed: ["2fa"], means: ["passkey"] }],
    problems: [],
  });
  expect(loadSynonyms(process.cwd()).synonyms).toContainEqual({ typed: ["ram"], means: ["memory"] });
  for (const yaml of ["- { typed: [two words], means: [passkey] }", "- { typed: [2fa], means: [] }"]) {
    const { synonyms, problems } = loadText(yaml, "concepts");
    expect(synonyms).toEqual([]);
    expect(problems).toMatchObject([{ file: "content/concepts.yaml", severity: "error", line: 1 }]);
  }
});
