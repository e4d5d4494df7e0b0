/**
 * Properties of loading:
 * 1. Pages are in the order of their paths, with the problems of facts, pages and navigation; consequences of
 *    another problem are not reported.
 * 2. A second load reads compiled pages from the cache, unless a page, the facts, an image or the compiler changed.
 * 3. A cache that cannot be written, or contains garbage, only costs time.
 * 4. Files that no page uses any more are removed from the cache; no half-written files remain.
 * 5. Dates come from git; outside git they are null.
 * 6. A draft is left out with its problems, and so is its link in the tree; development includes it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FactError, type Components } from "./blocks/component.ts";
import { noFacts, type Facts } from "./facts/facts.ts";
import { loadContent } from "./load-content.ts";

let root: string;
let cache: string;
let version: string;
/** How often a page was really compiled. */
let compiled: number;
/** Whether the pages quote a missing fact. */
let missing: boolean;

const components: Components = {
  elements: {
    Count: {
      kind: "fact",
      inline: true,
      attributes: {},
      content: "none",
      example: "<Count />",
      expand: () => {
        compiled += 1;
        if (missing) throw new FactError("No such fact.", "");
        return [{ type: "text", value: "1" }];
      },
    },
  },
  fences: {},
};

function writePage(name: string, title: string, more = ""): void {
  const text = `---\n${more}title: ${title}\nnavTitle: ${title}\ndescription: A page of the tests, which says in fifty characters what it is.\ntype: explain\npart: none\n---\n\nText <Count />.\n`;
  writeFileSync(join(root, "content/docs", name), text);
}

function load(facts: Facts = noFacts, folder: string | undefined = cache) {
  return loadContent({ root, components, cache: { folder, version }, facts: { facts, problems: [] } });
}

function git(...command: string[]): void {
  const date = "2026-03-04T12:00:00Z";
  const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...command], {
    cwd: root,
    env,
  });
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "content-"));
  cache = join(root, "cache");
  version = "a compiler";
  compiled = 0;
  missing = false;
  mkdirSync(join(root, "content/docs/b"), { recursive: true });
  writePage("index.mdx", "Start");
  writePage("b/one.mdx", "One");
  const tree = "top:\n  - to: /docs\n  - to: /docs/b/one\nsections: []\n";
  writeFileSync(join(root, "content/navigation.yaml"), tree);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("pages, navigation and problems", async () => {
  const { pages, navigation, problems } = await load();
  expect(pages.map(({ path }) => path)).toEqual(["/docs", "/docs/b/one"]);
  expect(navigation.top.map(({ label }) => label)).toEqual(["Start", "One"]);
  expect(problems).toEqual([]);
  writePage("b/one.mdx", "x".repeat(61));
  expect((await load()).problems.map(({ file, rule }) => [file, rule])).toEqual([
    ["content/docs/b/one.mdx", "front-matter"],
    ["content/docs/b/one.mdx", "front-matter"],
  ]);
});

test("a file of facts that is wrong is one problem, not one of every page that quotes it", async () => {
  missing = true;
  const problem = {
    file: "content/facts/limits.yaml",
    line: 1,
    rule: "facts",
    message: "Not YAML.",
    fix: "",
  };
  const facts = { facts: noFacts, problems: [{ ...problem, severity: "error" as const }] };
  expect((await loadContent({ root, components, facts })).problems).toEqual(facts.problems);
  expect((await load(noFacts, undefined)).problems).toHaveLength(2);
});

test("a missing tree is a problem, not a crash", async () => {
  rmSync(join(root, "content/navigation.yaml"));
  expect((await load()).problems).toMatchObject([
    { rule: "navigation", message: "The navigation tree is missing." },
  ]);
});

test("only what changed is compiled again", async () => {
  const first = await load();
  expect(compiled).toBe(2);
  expect(await load()).toEqual(first);
  expect(compiled).toBe(2);
  writePage("b/one.mdx", "Two");
  expect((await load()).pages[1]?.title).toBe("Two");
  expect(compiled).toBe(3);
  await load({
    ...noFacts,
    runners: { runners: [] },
    cli: { ...noFacts.cli, exitCodes: [{ code: 1, meaning: "x" }] },
  });
  expect(compiled).toBe(5);
  version = "another compiler";
  await load();
  expect(compiled).toBe(7);
  mkdirSync(join(root, "public/images"), { recursive: true });
  writeFileSync(join(root, "public/images/x.svg"), '<svg viewBox="0 0 30 20"/>');
  await load();
  expect(compiled).toBe(9);
});

test("old files leave the cache", async () => {
  await load();
  writePage("b/one.mdx", "Two");
  await load();
  expect(readdirSync(cache)).toHaveLength(2);
  expect(readdirSync(cache).every((name) => name.endsWith(".json"))).toBe(true);
});

test("rubbish in the cache is compiled over", async () => {
  const first = await load();
  for (const name of readdirSync(cache)) writeFileSync(join(cache, name), '{"page":');
  expect(await load()).toEqual(first);
  expect(readFileSync(join(cache, readdirSync(cache)[0] ?? ""), "utf8").endsWith("}")).toBe(true);
});

test("a cache that cannot be written does not matter", async () => {
  const first = await load(noFacts, "");
  writeFileSync(join(root, "file"), "");
  expect((await load(noFacts, join(root, "file/cache"))).pages).toEqual(first.pages);
  mkdirSync(cache);
  chmodSync(cache, 0o500);
  expect((await load()).pages).toEqual(first.pages);
});

const hasGit = spawnSync("git", ["--version"]).status === 0;

test.skipIf(!hasGit)("dates", async () => {
  expect((await load()).pages.map(({ updated }) => updated)).toEqual([null, null]);
  git("init", "-q");
  git("add", "content/docs/index.mdx");
  git("commit", "-qm", "One page");
  expect((await load()).pages.map(({ updated }) => updated)).toEqual(["2026-03-04", null]);
});

test("drafts", async () => {
  writePage("b/one.mdx", "One", "draft: true\n");
  const published = await load();
  expect(published.pages.map(({ path }) => path)).toEqual(["/docs"]);
  expect(published.navigation.top.map(({ to }) => to)).toEqual(["/docs"]);
  expect([published.drafts, published.problems]).toEqual([["/docs/b/one"], []]);
  missing = true;
  version = "another compiler";
  expect((await load()).problems.map(({ file }) => file)).toEqual(["content/docs/index.mdx"]);
  missing = false;
  version = "a compiler";
  const all = await loadContent({
    root,
    components,
    withDrafts: true,
    facts: { facts: noFacts, problems: [] },
  });
  expect(all.pages.map(({ path, draft }) => [path, draft])).toEqual([
    ["/docs", false],
    ["/docs/b/one", true],
  ]);
  expect(all.navigation.top.map(({ to }) => to)).toEqual(["/docs", "/docs/b/one"]);
});
