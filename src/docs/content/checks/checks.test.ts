/**
 * Properties of the checks across pages:
 * 1. Links: a page or an anchor that does not exist is reported with the most likely intended one; anchors of steps, rows and
 *    questions count; links to other sites and to services of the site do not.
 *    A page that no text links to is found.
 * 2. Words: banned words and second names are found in prose and never in code; the fix is the corrected text.
 * 3. Ledger: it never forgets an anchor; a removed anchor must be renamed to an existing one; a page stays.
 * 4. Templates: a guide without one of its sections or without a word on undoing its work, a start without output,
 *    and a page with few words of its own are found.
 * 5. Duplicates: more than 12 words in a row on two pages are one finding, 12 are allowed, and a page may repeat itself.
 * 6. A fact's value with its unit is found where it is typed, in digits or in words; other numbers are not.
 * 7. Names in the form of a fact's name (variables, labels, methods, addresses) are found if the facts do not have them.
 * 8. Unmeasured claims are found; instructions on how to measure are not.
 * 9. Variety: if more than nine pages of a section open or undo in the same words, the additional pages are found.
 * 10. A Dockerfile step that fails with an empty cache mount is found.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limitFactsSchema } from "../facts/fact-schemas.ts";
import { loadFacts } from "../facts/facts.ts";
import type { ContentProblem, Page } from "../types.ts";
import { checkLedger, loadLedger, saveLedger, updateLedger } from "./anchor-ledger.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { checkImages } from "./check-images.ts";
import { checkLinks, checkOrphans } from "./check-links.ts";
import { checkTemplates } from "./check-templates.ts";
import { checkCacheMounts } from "./check-cache-mounts.ts";
import { checkClaims } from "./check-claims.ts";
import { checkText, nameRules } from "./check-names.ts";
import { checkTypedFacts } from "./check-typed-facts.ts";
import { checkTitles } from "./check-titles.ts";
import { checkVariety } from "./check-variety.ts";
import { checkSentences, checkWords } from "./check-words.ts";
import { pageOf, sample } from "./page-fixture.ts";

const repository = join(import.meta.dirname, "../../../..");
const brief = (problems: ContentProblem[]) => problems.map(({ rule, line, fix }) => [rule, line, fix]);

describe("links", () => {
  const target = pageOf({
    path: "/docs/limits",
    anchors: ["quota", "limit-cache-quota"],
    renamed: { old: "quota" },
  });
  const check = (href: string) =>
    brief(checkLinks([pageOf({ anchors: ["keys"], links: [{ href, line: 7 }] }), target]));

  test.each([
    "/docs/limits",
    "/docs/limits#limit-cache-quota",
    "#keys",
    "{{origin}}/docs/limits#quota",
    "https://x.example/docs/no",
    "/",
    "/v2/",
    "{{origin}}/cache/turbo",
    "mailto:a@example.com",
  ])("%s is fine", (href) => expect(check(href)).toEqual([]));

  test.each([
    ["/docs/limit", "dead-link", "/docs/limits"],
    ["/docs/cache/limits", "dead-link", "/docs/limits"],
    ["/docs/limits#quotas", "dead-anchor", "/docs/limits#quota"],
    ["/docs/limits#old", "dead-anchor", "/docs/limits#quota"],
    ["#key", "dead-anchor", "#keys"],
    ["/pricing", "dead-link", "/docs/…"],
  ])("%s is not", (href, rule, fix) => expect(check(href)).toEqual([[rule, 7, fix]]));

  test("a draft may link to a draft; readers would find nothing", () => {
    const draft = pageOf({ path: "/docs/new", draft: true, links: [{ href: "/docs/new", line: 3 }] });
    const page = pageOf({ links: [{ href: "/docs/new", line: 7 }] });
    const message = "/docs/new is a draft, which readers cannot see.";
    expect(checkLinks([draft])).toEqual([]);
    expect(checkLinks([page, draft]).map((found) => [found.line, found.message])).toEqual([[7, message]]);
    expect(checkLinks([page], { drafts: ["/docs/new"] }).map((found) => found.message)).toEqual([message]);
  });
});

test("a page that no other page links to is found; the start page needs no link", () => {
  const start = pageOf({ path: "/docs" });
  const self = pageOf({ path: "/docs/a", links: [{ href: "/docs/a#keys", line: 3 }] });
  const linked = pageOf({ path: "/docs/b" });
  const linking = pageOf({
    path: "/docs/c",
    links: [
      { href: "/docs/b#x", line: 3 },
      { href: "/docs/c", line: 4 },
    ],
  });
  const found = checkOrphans([start, self, linked, { ...linking, path: "/docs" }]);
  expect(found.map(({ file, rule }) => [file, rule])).toEqual([["content/docs/a.mdx", "orphan"]]);
});

test("titles", () => {
  const twins = [pageOf({ title: "Overview" }), pageOf({ path: "/docs/b", title: "overview" })];
  expect(checkTitles(twins).map(({ file, rule }) => [file, rule])).toEqual([
    ["content/docs/b.mdx", "same-title"],
  ]);
});

test("images", () => {
  const page = pageOf({
    images: [
      { src: "/images/no.svg", line: 4 },
      { src: "https://x.example/a.png", line: 5 },
    ],
  });
  expect(checkImages([page], "/nowhere").map(({ line }) => line)).toEqual([4, 5]);
});

describe("templates", () => {
  const text = { kind: "paragraph" as const, text: "word ".repeat(250) };
  const own = { text: "word ".repeat(250).trim(), line: 8 };
  const guide = (titles: string[], ending = "To go back, remove the file.") => {
    const headings = titles.map((title) => ({ depth: 2, id: title.toLowerCase(), text: title }));
    const blocks = headings.flatMap((heading) => [
      { kind: "heading" as const, ...heading },
      { kind: "paragraph" as const, text: heading.text === "Related" ? "Links." : ending },
    ]);
    return { type: "guide" as const, headings, blocks };
  };
  const sections = ["Before you begin", "Do it", "Check", "Related"];
  const rules = (fields: Partial<Page>) =>
    checkTemplates([pageOf({ blocks: [text], prose: [own], ...fields })]).map(({ rule, fix }) => [
      rule,
      fix.split("\n")[0],
    ]);

  test("are kept", () => {
    expect(rules(guide(sections))).toEqual([]);
    expect(
      rules(guide(["Before you begin", "Do it", "Check", "Go back to Docker", "Related"], "Stop.")),
    ).toEqual([]);
    expect(rules({ type: "start", samples: [sample("console", "$ a\nb")] })).toEqual([]);
    expect(rules({ type: "explain", samples: [sample("diagram", "a -> b")] })).toEqual([]);
    expect(
      rules({ type: "reference", blocks: [text, { kind: "table", text: "a\nb", columns: ["a"], rows: [] }] }),
    ).toEqual([]);
  });

  test("are not kept", () => {
    expect(rules(guide(sections.filter((title) => title !== "Check")))).toEqual([["page-type", "## Check"]]);
    const noUndo = [["page-type", "## Go back to <what was there before>"]];
    expect(rules(guide(sections, "It works."))).toEqual(noUndo);
    expect(rules(guide(["Before you begin", "Do it", "Check", "More", "Related"], "It works."))).toEqual(
      noUndo,
    );
    const noProof = [["page-type", "```console"]];
    expect(rules({ type: "start", samples: [sample("bash", "a")] })).toEqual(noProof);
    expect(rules({ type: "start", samples: [sample("console", "$ a \\\n    b\n$ c\n")] })).toEqual(noProof);
    const diagram = [["page-type", '```diagram caption="…"']];
    expect(rules({ type: "explain" })).toEqual(diagram);
    expect(
      rules({ type: "explain", blocks: [text, { kind: "table", text: "a", columns: ["a"], rows: [] }] }),
    ).toEqual(diagram);
    expect(rules({ type: "explain", html: '<ol class="steps">' })).toEqual([
      ["page-type", "type: guide, or a list instead of <Steps>"],
    ]);
    const first = [["page-type", "## Before you begin"]];
    expect(rules(guide(sections.toReversed()))).toEqual(first);
    expect(rules(guide(sections.filter((title) => title !== "Do it")))).toEqual(first);
    expect(rules({ type: "reference" })).toEqual([["page-type", "| … | … |"]]);
  });

  test("a page has enough words of its own, code and facts not counted", () => {
    const prose = (count: number) => [{ text: "word ".repeat(count).trim(), line: 8 }];
    const blocks = [text, { kind: "code" as const, text: text.text, title: null }];
    const explain = { type: "explain" as const, samples: [sample("diagram", "")] };
    expect(rules({ ...explain, blocks, prose: prose(249) })).toMatchObject([
      ["thin-page", expect.any(String)],
    ]);
    expect(rules({ ...explain, blocks, prose: prose(250) })).toEqual([]);
    const index = { ...explain, blocks, file: "content/docs/index.mdx" };
    expect(rules({ ...index, prose: prose(79) })).toHaveLength(1);
    expect(rules({ ...index, prose: prose(80) })).toEqual([]);
  });
});

test("variety", () => {
  const pages = (section: string, count: number, text: string, headings: string[] = []) =>
    Array.from({ length: count }, (_, index) =>
      pageOf({
        path: `/docs/${section}/${index}`,
        prose: [{ text, line: 8 }],
        headings: headings.map((title) => ({ depth: 2, id: title, text: title })),
      }),
    );
  const files = (...all: Page[]) => checkVariety(all).map(({ file }) => file);
  expect(
    files(...pages("cache", 9, "At the end you win."), ...pages("cli", 9, "At the end you win.")),
  ).toEqual([]);
  expect(files(...pages("cache", 10, "At the end you win."))).toEqual(["content/docs/cache/9.mdx"]);
  expect(files(...pages("cache", 10, ""))).toEqual([]);
  expect(files(...pages("cache", 10, "", ["Undo"]))).toEqual(["content/docs/cache/9.mdx"]);
  expect(files(...pages("cache", 9, "", ["Undo"]), ...pages("cache", 1, "", ["Go back"]))).toEqual([]);
});

test("cache mounts", () => {
  const lines = (code: string) =>
    checkCacheMounts([pageOf({ samples: [sample("dockerfile", code, { line: 20 })] })]).map(
      ({ line }) => line,
    );
  const mount = "RUN --mount=type=cache,target=/root/.m2 \\\n";
  expect(lines(`FROM a\n${mount}    mvn --offline package && \\\n    cp a b\nCOPY . .`)).toEqual([21]);
  expect(lines(`${mount}    pnpm install --prefer-offline`)).toEqual([]);
  expect(lines(`${mount}    mvn package\nRUN mvn --offline package`)).toEqual([]);
});

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `w${from + index}`).join(" ");
const proseOf = (path: string, ...texts: string[]) =>
  pageOf({ path, prose: texts.map((text, line) => ({ text, line })) });

test("typed facts", () => {
  const limits = limitFactsSchema.parse({
    limits: [
      { id: "cache.quota", group: "Cache", name: "Quota", value: "50 GB" },
      { id: "cache.jobs", group: "Cache", name: "Jobs", value: "8" },
    ],
  });
  const runner = {
    label: "x",
    aliases: [],
    image: "y",
    architecture: "arm64" as const,
  };
  const runners = { runners: [{ ...runner, cpus: 4, memory: "16 GB" }] };
  const texts = [
    "It holds 50 GB.",
    "150 GB, or 1.50 GB, or 8",
    "a 50-gigabyte disk",
    "with four cores",
    "four or 16 GB",
  ];
  const fix = (component: string) => `${component}, or other words if it is a different number.`;
  expect(brief(checkTypedFacts([proseOf("/docs/a", ...texts)], { limits, runners }))).toEqual([
    ["typed-fact", 0, fix('<Fact id="cache.quota" />')],
    ["typed-fact", 2, fix('<Fact id="cache.quota" />')],
    ["typed-fact", 3, fix("<RunnerTable />")],
  ]);
});

describe("names of facts", () => {
  const { facts } = loadFacts(repository);
  const names = (text: string) =>
    checkText("a.mdx", text, nameRules(facts)).map(
      ({ line, message }) => `${line} ${message.split(/\.(?: |$)/)[0]}`,
    );

  test.each([
    "MILLRACE_TOKEN=x `MILLRACE_URL`",
    "runs-on: millrace-ubuntu-24.04-arm-8",
    "{{origin}}/api/millrace.v1.BuildService/GetBuild",
    "TURBO_API={{origin}}/cache/turbo/v8",
  ])("%s", (text) => expect(names(text)).toEqual([]));

  test.each([
    ["a\nMILLRACE_TOKN", '2 There is no environment variable "MILLRACE_TOKN"'],
    ["runs-on: millrace-ubuntu-24.04-6", '1 There is no runner label "millrace-ubuntu-24.04-6"'],
    ["BuildService/Get", '1 There is no API method "BuildService/Get"'],
    ["{{host}}/cache/turborepo", '1 There is no cache address "turborepo"'],
  ])("%j is found", (text, message) => expect(names(text)).toEqual([message]));
});

test("claims", () => {
  const page = proseOf(
    "/docs/a",
    "Builds are up to 40x faster.",
    "Trusted by thousands of teams.",
    "It takes a build from 20 minutes to 2.",
    "Compare the times of the two builds. A cache hit spares the step.",
  );
  expect(checkClaims([page]).map(({ line, rule }) => [line, rule])).toEqual(
    [0, 1, 2].map((line) => [line, "claim"]),
  );
});

test("duplicates", () => {
  const twice = proseOf("/docs/a", words(0, 30), words(0, 30));
  expect(checkDuplicates([twice])).toEqual([]);
  expect(checkDuplicates([twice, proseOf("/docs/b", `x ${words(3, 12)} y`)])).toEqual([]);
  const [found, ...others] = checkDuplicates([twice, proseOf("/docs/b", "x", `X ${words(3, 14)}, y`)]);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ file: "content/docs/b.mdx", line: 1, severity: "error" });
  expect(found?.message).toBe("14 consecutive words also appear in content/docs/a.mdx:0.");
});

describe("words", () => {
  const terms = [
    { use: "repository", not: ["repo"] },
    { use: "GitHub", not: ["Github"] },
  ];
  const check = (text: string) =>
    checkWords([pageOf({ prose: [{ text, line: 9 }] })], terms).map(({ rule, fix }) => [rule, fix]);

  test.each([
    "Just-in-time runners start just in time.",
    "Simplicity",
    "A monorepo, the --repo flag, repo.ts",
    "github.com",
  ])("%s", (text) => expect(check(text)).toEqual([]));

  test.each([
    ["You just run it.", "banned-word", "You run it."],
    ["This is easily done.", "banned-word", "This is done."],
    ["Clone the repo first.", "term", "Clone the repository first."],
    ["Open Github now.", "term", "Open GitHub now."],
  ])("%s is found", (text, rule, fix) => expect(check(text)).toEqual([[rule, fix]]));

  test("long sentences are warnings, counted one by one", () => {
    const prose = [
      { text: `${"word ".repeat(30).trim()}. Short one.`, line: 1 },
      { text: `${"word ".repeat(31).trim()}.`, line: 2 },
    ];
    expect(checkSentences([pageOf({ prose })])).toMatchObject([
      { line: 2, severity: "warning", rule: "long-sentence" },
    ]);
  });
});

describe("ledger", () => {
  const before = pageOf({ anchors: ["keys", "limits"] });
  const ledger = updateLedger({}, [before]);

  test("never forgets", () => {
    const after = updateLedger(ledger, [pageOf({ anchors: ["keys", "added"] })]);
    expect(after).toEqual({ "/docs/cache/overview": ["added", "keys", "limits"] });
    expect(updateLedger(after, [])).toEqual(after);
  });

  test("is read as it was written; without a file it is empty", () => {
    const root = mkdtempSync(join(tmpdir(), "ledger-"));
    mkdirSync(join(root, "content"));
    expect(loadLedger(root)).toEqual({});
    saveLedger(root, ledger);
    expect(loadLedger(root)).toEqual(ledger);
    rmSync(root, { recursive: true });
  });

  test("what is gone must be renamed", () => {
    expect(checkLedger(ledger, [before], [])).toEqual([]);
    const gone = pageOf({ anchors: ["keys", "limit"] });
    expect(checkLedger(ledger, [gone], []).map(({ fix }) => fix)).toEqual(["renamed: { limits: limit }"]);
    const renamed = pageOf({ anchors: ["keys", "limit"], renamed: { limits: "limit" } });
    expect(checkLedger(ledger, [renamed], [])).toEqual([]);
    const lost = pageOf({ anchors: ["keys"], renamed: { limits: "nowhere" } });
    expect(checkLedger(ledger, [lost], []).map(({ message }) => message)).toEqual([
      "#limits is renamed to #nowhere, which the page does not have.",
    ]);
  });

  test("a published page stays, or is redirected", () => {
    expect(checkLedger(ledger, [pageOf({ path: "/docs/other" })], []).map(({ message }) => message)).toEqual([
      "/docs/cache/overview was published but its page is gone.",
    ]);
    const redirects = [{ from: "/docs/cache/overview", to: "/docs/other", line: 1 }];
    expect(checkLedger(ledger, [pageOf({ path: "/docs/other" })], redirects)).toEqual([]);
  });
});
