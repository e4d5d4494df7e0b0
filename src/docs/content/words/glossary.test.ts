/**
 * 1. In each section, the first mention of each word becomes a link to its definition, in any case and number; the text stays.
 * 2. Links, code, headings, tables and captions are left alone, and so are parts of longer names and words of other products.
 * 3. "Build" is marked as a noun only.
 * 4. The glossary's own page has no marks. The marks change neither the text nor the links that search and checks see.
 * 5. The first paragraph of the definition is shown; a word without a definition stops the build with advice.
 */
import { expect, test } from "vitest";
import { compilePage } from "../page/compile-page.ts";
import { noFacts } from "../facts/facts.ts";
import { glossaryOf } from "./glossary.ts";
import type { Page } from "../types.ts";

async function compile(body: string, file = "content/docs/cache/layers.mdx"): Promise<Page> {
  const head =
    "title: T\nnavTitle: T\ndescription: What the layer cache holds, who shares it, and how a build finds its layers again.\ntype: explain\npart: cache\n";
  const { page } = await compilePage(file, `---\n${head}---\n${body}`, {
    facts: noFacts,
    components: { elements: {}, fences: {} },
  });
  if (!page) throw new Error("The page did not compile.");
  return page;
}

/** The marked words of a text as `word#anchor`. */
async function marksOf(body: string): Promise<string[]> {
  const { html } = await compile(body);
  const marks = html.matchAll(/<a href="\/docs\/core-concepts#([\w-]+)" data-hover="term">([^<]*)<\/a>/g);
  return [...marks].map(([, id, word]) => `${word}#${id}`);
}

test("the first in each section (1)", async () => {
  const body =
    "Projects own it. A project has a *trust relationship*.\n\n- The project.\n\n## Two\n\nTwo projects.\n\n### Three\n\nThe project, in sandboxes.\n";
  expect(await marksOf(body)).toEqual([
    "Projects#project",
    "trust relationship#trust-relationship",
    "projects#project",
    "sandboxes#sandbox",
  ]);
  const plain = (await compile(body)).html.replace(/<[^>]*>/g, "");
  expect(plain).toContain("A project has a trust relationship.");
});

test.each([
  ["a link", "See [the project](/docs/faq)."],
  ["code", "Run `project`.\n\n```sh\nproject\n```"],
  ["a heading", "## The project"],
  ["a table", "| project |\n| --- |\n| project |"],
  [
    "a longer name",
    "project-name, x.project, project.json, /project, project_id, subproject, {{host}}project/x",
  ],
  ["someone else's", "A GitHub organization, an OIDC token, a Docker image and a base image."],
])("%s is left alone (2)", async (_name, body) => expect(await marksOf(body)).toEqual([]));

test.each([
  ["The build ends.", ["build#build"]],
  ["Cancel a build.", ["build#build"]],
  ["Two steps of every build, and more.", ["build#build"]],
  ["Build it. They build the app. The build context, a build tool, the build id.", []],
])("%s (3)", async (body, marks) => expect(await marksOf(body)).toEqual(marks));

test("marks are only shown (4)", async () => {
  const page = await compile("A token of [a project](/docs/faq).");
  expect(page.links.map(({ href }) => href)).toEqual(["/docs/faq"]);
  expect(page.blocks).toEqual([{ kind: "paragraph", text: "A token of a project." }]);
  expect(page.markdown).toContain("A token of [a project]");
  expect((await compile("A token.", "content/docs/core-concepts.mdx")).html).toBe("<p>A token.</p>");
});

const WORDS =
  "Trust relationship,Cache namespace,Organization,Project,Builder,Build,Image,Runner,Sandbox,Session,Token".split(
    ",",
  );

test("what is shown (5)", async () => {
  const define = (words: string[]) =>
    words.map((word) => `## ${word}\n\nA **${word}** is one.\n\nMore.\n`).join("\n");
  const page = await compile(define(WORDS), "content/docs/core-concepts.mdx");
  expect(glossaryOf([page])).toMatchObject({
    "trust-relationship": { title: "Trust relationship", text: "A Trust relationship is one." },
  });
  expect(Object.keys(glossaryOf([page]))).toHaveLength(11);
  const less = await compile(define(WORDS.slice(0, -1)), "content/docs/core-concepts.mdx");
  expect(() => glossaryOf([less])).toThrow(/no definition under "#token"\. Add a heading/);
  expect(() => glossaryOf([])).toThrow(/no definition/);
});
