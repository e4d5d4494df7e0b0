/**
 * 1. A synonym, a relevance test and a redirect change one file each, in its own layout; comments stay.
 * 2. In production nothing is written; `git apply` accepts the patch and produces the same result.
 * 3. An action that fails says why and changes nothing: existing synonyms, questions that are already tested, unknown pages
 *    and anchors, paths that lead elsewhere, multi-line texts. A redirect keeps the old page's anchors, and leads to a page.
 * 4. The files stay readable and contain the words, whatever the words are.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { SearchAction } from "#telemetry/index.ts";
import { EditError } from "./edit-error.ts";
import { addKeyword, addRelevanceTest, addSynonyms } from "./edit-files.ts";
import { actionSchema, createSearchActions } from "./search-actions.ts";

const files: { [file: string]: string } = {
  "content/synonyms.yaml": `# Words that mean the same.\n- [k8s, kubernetes]\n# Of every vendor.\n- [ci, continuous integration] # both ways\n`,
  "content/anchors.json": `{ "/docs/cache/overview": ["limits"], "/docs/cache/limits": ["limits", "sizes"] }`,
  "content/redirects.yaml": `# Where pages have gone.\n- { from: /docs/keys, to: /docs/cache/overview }\n`,
  "content/docs/cache/overview.mdx": `---\ntitle: Cache\navailability: preview\n---\n\nText.\n`,
  "content/docs/index.mdx": `---\ntitle: Docs\nkeywords: ["start"]\ntype: start\n---\n\nText.\n`,
  "tests/relevance/cache.yaml": `/docs/cache/overview:\n  first:\n    - cache\n    # A comment.\n    - cahce\n  top5:\n    - cache hit rate\n\n/docs/cache/reference/bazel:\n  first:\n    - bazel\n`,
  "tests/relevance/top.yaml": `/docs:\n  first:\n    - docs\n`,
};

function setUp(isWritable = true) {
  const root = mkdtempSync(join(tmpdir(), "actions-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  return { root, read, run: createSearchActions({ root, isWritable }) };
}

const actions: [name: string, action: SearchAction, file: string, added: string][] = [
  [
    "synonym",
    { kind: "synonym", words: ["turbo", "Turborepo"] },
    "content/synonyms.yaml",
    "# both ways\n- [turbo, Turborepo]\n",
  ],
  [
    "relevance test, into its list",
    { kind: "relevance-test", query: "remote cache: how?", path: "/docs/cache/overview", within: 1 },
    "tests/relevance/cache.yaml",
    '    - cahce\n    - "remote cache: how?"\n  top5:',
  ],
  [
    "relevance test, a new list",
    { kind: "relevance-test", query: "cache", path: "/docs/cache/overview#limits", within: 3 },
    "tests/relevance/cache.yaml",
    "\n/docs/cache/overview#limits:\n  top3:\n    - cache\n",
  ],
  [
    "redirect",
    { kind: "redirect", query: "buildcache", path: "/docs/cache/overview" },
    "content/docs/cache/overview.mdx",
    'preview\nkeywords: ["buildcache"]\n---',
  ],
  [
    "moved",
    { kind: "moved", from: "/docs/old", to: "/docs/cache/overview#limits" },
    "content/redirects.yaml",
    "overview }\n- { from: /docs/old, to: /docs/cache/overview#limits }\n",
  ],
  [
    "redirect, one more",
    { kind: "redirect", query: "begin", path: "/docs" },
    "content/docs/index.mdx",
    'Docs\nkeywords: ["start", "begin"]\ntype: start',
  ],
];

test.each(actions)("1. %s", async (_name, action, file, added) => {
  const { read, run } = setUp();
  const result = await run(action);
  expect(result).toMatchObject({ file, isWritten: true });
  expect(read(file)).toContain(added);
  for (const [other, text] of Object.entries(files)) if (other !== file) expect(read(other)).toBe(text);
});

test.each(actions)("2. %s, as a patch", async (_name, action, file) => {
  const { root, read, run } = setUp(false);
  const { patch, isWritten } = await run(action);
  expect(isWritten).toBe(false);
  expect(read(file)).toBe(files[file]);
  const git = spawnSync("git", ["apply", "--whitespace=error", "-"], {
    cwd: root,
    input: patch,
    encoding: "utf8",
  });
  expect(git.stderr).toBe("");
  const written = setUp();
  await written.run(action);
  expect(read(file)).toBe(written.read(file));
});

test.each<[string, SearchAction, RegExp]>([
  ["known synonyms", { kind: "synonym", words: ["Kubernetes", "K8s"] }, /already synonyms/],
  ["one word twice", { kind: "synonym", words: ["a", "A"] }, /two different/],
  [
    "a known question",
    { kind: "relevance-test", query: "cahce", path: "/docs/cache/overview", within: 3 },
    /already/,
  ],
  ["no page", { kind: "redirect", query: "x", path: "/docs/nowhere" }, /no page/],
  ["no anchor", { kind: "redirect", query: "x", path: "/docs/cache/overview#nowhere" }, /no anchor/],
  ["moved: a page", { kind: "moved", from: "/docs/cache/overview", to: "/docs" }, /is a page/],
  ["moved: twice", { kind: "moved", from: "/docs/Keys", to: "/docs" }, /redirected twice/],
  ["moved: no page", { kind: "moved", from: "/docs/x", to: "/docs/nowhere" }, /no page/],
  ["moved: no anchor", { kind: "moved", from: "/docs/x", to: "/docs/cache/overview#none" }, /no anchor/],
  [
    "moved: a lost anchor",
    { kind: "moved", from: "/docs/cache/limits", to: "/docs/cache/overview" },
    /#sizes was published/,
  ],
  ["a known keyword", { kind: "redirect", query: "Start", path: "/docs" }, /already/],
])("3. %s", async (_name, action, message) => {
  const { read, run } = setUp();
  await expect(run(action)).rejects.toThrow(message);
  await expect(run(action)).rejects.toThrow(EditError);
  for (const [file, text] of Object.entries(files)) expect(read(file)).toBe(text);
});

test.each([
  { kind: "redirect", query: "x", path: "/docs/../../package.json" },
  { kind: "redirect", query: "two\nlines", path: "/docs" },
  { kind: "redirect", query: " ", path: "/docs" },
  { kind: "synonym", words: ["alone"] },
  { kind: "relevance-test", query: "x", path: "/docs", within: 2 },
  { kind: "moved", from: "/docs/x y", to: "/docs" },
  { kind: "moved", from: "/docs/x/", to: "/docs" },
  { kind: "moved", from: "/docs/x", to: "https://example.com/" },
  { kind: "moved", from: "/docs/x }\n- y", to: "/docs" },
  { kind: "delete" },
])("3. refused: %j", (action) => {
  expect(actionSchema.safeParse(action).success).toBe(false);
});

test("4. any words", () => {
  const groups = files["content/synonyms.yaml"] ?? "";
  const page = files["content/docs/index.mdx"] ?? "";
  const yaml = files["tests/relevance/cache.yaml"] ?? "";
  const words = fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("null", "yes", "# x", "a: b", "- a", "$&", "$1`", "]", "*/", "`${x}`", "1.5"),
    )
    .filter((word) => actionSchema.safeParse({ kind: "redirect", query: word, path: "/docs" }).success)
    .map((word) => word.trim());
  fc.assert(
    fc.property(words, (word) => {
      const synonyms = addSynonyms(groups, [word, "another"]);
      expect((parse(synonyms) as string[][]).at(-1)).toEqual([word, "another"]);
      expect(synonyms.startsWith(groups)).toBe(true);
      const tests = parse(
        addRelevanceTest(yaml, { path: "/docs/cache/overview", query: word, within: 5 }),
      ) as {
        [path: string]: { top5: string[] };
      };
      expect(tests["/docs/cache/overview"]?.top5).toEqual(["cache hit rate", word]);
      if (word.toLowerCase() === "start") return;
      const [, head = ""] = addKeyword(page, word).split(/^---$/m);
      expect((parse(head) as { keywords: string[] }).keywords).toEqual(["start", word]);
    }),
  );
});

test("1. the repository's own files", async () => {
  const root = mkdtempSync(join(tmpdir(), "actions-"));
  for (const name of ["content", "tests/relevance"]) cpSync(name, join(root, name), { recursive: true });
  const run = createSearchActions({ root, isWritable: false });
  for (const action of [
    { kind: "synonym", words: ["one thing", "another thing"] },
    { kind: "redirect", query: "another thing", path: "/docs/cache/overview" },
    { kind: "moved", from: "/docs/no-such-page", to: "/docs/cache/overview" },
    { kind: "relevance-test", query: "another thing", path: "/docs/cache/overview", within: 5 },
  ] satisfies SearchAction[]) {
    const { patch } = await run(action);
    // Only the new lines, and the line of keywords that a word was added to.
    expect(patch.split("\n").filter((line) => /^-(?!--)/.test(line)).length, patch).toBeLessThanOrEqual(1);
    const git = spawnSync("git", ["apply", "--check", "-"], { cwd: root, input: patch, encoding: "utf8" });
    expect(git.stderr).toBe("");
  }
});
