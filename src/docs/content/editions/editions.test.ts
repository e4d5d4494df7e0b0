/*
 * 1. A section whose hash is that of the English text is in the translation, with the English code and the English anchor.
 * 2. A section that is missing, has changed in English, or has another shape stays English, and a warning says what to write.
 * 3. A section of no English section is a warning. Accepting writes the hashes of today.
 * 4. Code of the English section may change without work for the translator; its words may not.
 * 5. A page moves into an edition with its links to pages of it, and no others.
 * 6. A page with a mistake is left out, with a warning. So is a translation of no page.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { components } from "#docs/components/components.ts";
import { loadFacts } from "../facts/facts.ts";
import { loadContent } from "../load-content.ts";
import { acceptTranslation } from "./accept-translation.ts";
import { currentPath, editionOf, movePage } from "./edition.ts";
import { mergeTranslation } from "./merge-translation.ts";
import { hashSection, readPageSource } from "./page-source.ts";

const ENGLISH = `---
title: Build it
navTitle: Build
description: A page about building that is long enough for the rule, which wants fifty characters.
type: guide
part: none
---

First words.

## Build

Run this, and read [the FAQ](/docs/faq) or [the rest](/docs/rest):

\`\`\`console
$ make
\`\`\`

## Check

It works.
`;

const GERMAN = `---
title: Bauen
navTitle: Bauen
description: Eine Seite über das Bauen, die lang genug für die Regel ist, die fünfzig Zeichen verlangt.
source: x
---

Erste Worte.

## Bauen [#build x]

Führen Sie dies aus, und lesen Sie [die FAQ](/docs/faq) oder [den Rest](/docs/rest):

\`\`\`
\`\`\`
`;

const original = { source: ENGLISH, anchors: ["build", "check"] };
const accepted = acceptTranslation(GERMAN, original);
const merge = (translation: string) => mergeTranslation("de.mdx", translation, original);

test("1. and 2. sections", () => {
  const { source, english, problems } = merge(accepted);
  expect(source).toContain("title: Bauen");
  expect(source).toContain("type: guide");
  expect(source).toContain("## Bauen\n");
  expect(source).toContain("$ make");
  expect(source).toContain("## Check\n\nIt works.");
  expect([...english]).toEqual([["check", "missing"]]);
  expect(problems.map(({ message }) => message)).toEqual(["#check is not translated."]);
});

test.each([
  ["a changed text", GERMAN, ["The beginning has changed", "#build has changed", "#check is not"]],
  ["a lost code block", accepted.replace("```\n```\n", ""), ["#build has other headings", "#check is not"]],
  ["another heading", `${accepted}\n### Mehr\n`, ["#build has other headings", "#check is not"]],
  [
    "a foreign section",
    `${accepted}\n## Neu [#new y]\n`,
    ['"## Neu [#new y]" belongs to no section', "#check is not"],
  ],
])("2. and 3. %s", (_name, translation, expected) => {
  const { problems, source } = merge(translation);
  expect(problems.length).toBe(expected.length);
  problems.forEach(({ message, severity }, at) => {
    expect(message.startsWith(expected[at]!), message).toBe(true);
    expect(severity).toBe("warning");
  });
  expect(source.includes("## Bauen")).toBe(!expected.some((message) => message.startsWith("#build")));
});

test("4. hashes are of words", () => {
  const hashes = (source: string) => readPageSource(source).sections.map(hashSection);
  const [, build, check] = hashes(ENGLISH);
  expect(hashes(ENGLISH.replace("$ make", "$ make all\n## not a heading"))[1]).toBe(build);
  expect(hashes(ENGLISH.replace("Run this", "Run that"))[1]).not.toBe(build);
  expect(hashes(ENGLISH.replace("works", "runs"))[2]).not.toBe(check);
});

test("5. addresses", () => {
  expect(editionOf("/de/docs/faq")).toBe("de");
  expect(editionOf("/docs/docs-old")).toBeUndefined();
  expect(editionOf("/1.2/docs.md")).toBe("1.2");
  expect(currentPath("/de/docs/faq#x")).toBe("/docs/faq#x");
  expect(currentPath("/docs/faq")).toBe("/docs/faq");
});

/** A repository with a page, its translation, and one more page. */
function repository(translation: string): string {
  const root = mkdtempSync(join(tmpdir(), "editions-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write("content/docs/index.mdx", ENGLISH);
  write(
    "content/docs/faq.mdx",
    ENGLISH.replace("Build it", "Questions").replace("navTitle: Build", "navTitle: FAQ"),
  );
  write(
    "content/navigation.yaml",
    "top:\n  - { to: /docs, end: true }\n  - { to: /docs/faq }\nsections: []\n",
  );
  write("content/translations/de/words.yaml", 'words: { "Not translated yet.": "Fehlt." }\nunits: {}\n');
  write("content/translations/de/docs/index.mdx", translation);
  write("content/translations/de/docs/nowhere.mdx", translation);
  return root;
}

const load = (root: string) => loadContent({ root, facts: loadFacts(root), components });

test("5. and 6. an edition", async () => {
  const { editions, problems } = await load(repository(accepted));
  const [german] = editions;
  expect(german?.pages.map(({ path }) => path)).toEqual(["/de/docs"]);
  const [page] = german!.pages;
  expect(page!.html).toContain('<h2 id="build">Bauen');
  expect(page!.html).toContain('<h2 id="check" lang="en">Check');
  expect(page!.html).toMatch(
    /<p class="preview-mark" lang="de"><span>Fehlt\.<\/span><\/p><p lang="en">It works/,
  );
  expect(page!.html).toContain('href="/docs/faq"');
  expect(movePage(page!, "de", (path) => path === "/docs/faq").html).toContain('href="/de/docs/faq"');
  expect(german!.navigation.top.map(({ to, label }) => `${to} ${label}`)).toEqual([
    "/de/docs Bauen",
    "/docs/faq FAQ",
  ]);
  const own = problems.filter(({ rule }) => rule === "translation");
  expect(own.map(({ severity }) => severity)).toEqual(own.map(() => "warning"));
  expect(own.map(({ message }) => message)).toContain("There is no page content/docs/nowhere.mdx.");
});

test("6. a mistake", async () => {
  const { editions, problems } = await load(repository(accepted.replace("Erste Worte.", "Erste <b>Worte.")));
  expect(editions[0]?.pages).toEqual([]);
  expect(
    problems.filter(({ file }) => file.endsWith("de/docs/index.mdx")).map(({ severity }) => severity),
  ).not.toContain("error");
});
