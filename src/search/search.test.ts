/*
 * Documentation records make up sections, and:
 *  1. The page whose title was typed comes first, then headings, then prose. The first page of a part of the site
 *     answers to the part's name, unless another page has that title.
 *  2. A hit is one record of a section: its heading when that matches, else the paragraph that has the words.
 *  3. The last word may be unfinished; a misspelt word finds the right one; both together.
 *  4. Words joined, split, hyphenated and in camel case find each other.
 *  5. Words close together come before the same words scattered.
 *  6. All words before some; rare words before frequent ones.
 *  7. Phrases must occur together, excluded words nowhere, in the texts that are shown; where a message was pasted and
 *     the rest of it is not found with its quoted part, its words are.
 *  8. Synonyms of one and of several words; stop words.
 *  9. `searchOn` looks only at those attributes, and names the ones there are.
 * 10. One or two letters answer with completions; later pages continue where the kept list ends.
 * 11. A misspelt query is never without an answer if a term is one edit away.
 * 12. Crawled records make sections too, if the settings ask for one hit per address.
 * 13. Scores fall from hit to hit, lie between 0 and 1, and are explained rule by rule.
 */
import { expect, test } from "vitest";
import { buildIndex, type IndexSettings, openIndex, search, type SearchQuery } from "./index.ts";

const levels = ["hierarchy_lvl0", "hierarchy_lvl1", "hierarchy_lvl2"];

/** `page > heading: text` lines as records. */
function records(lines: string[]) {
  return lines.map((line, objectID) => {
    const [, page = "", heading, text] = /^([^>:]+?)(?: > ([^:]+))?(?:: (.*))?$/.exec(line)!;
    const url = `/${page.replaceAll(" ", "-")}${heading ? `#${heading.replaceAll(" ", "-")}` : ""}`;
    return {
      objectID,
      url,
      hierarchy_lvl0: "Docs",
      hierarchy_lvl1: page,
      hierarchy_lvl2: heading ?? "null",
      content: text ?? "null",
    };
  });
}

function open(lines: string[], settings: Partial<IndexSettings> = {}) {
  return openIndex(
    buildIndex(records(lines), { hierarchy: { url: "url", levels, content: "content" }, ...settings }),
  );
}

const site = open([
  "Layer cache",
  "Layer cache: Layers are kept on disk beside the builder.",
  "Layer cache > Limits",
  "Layer cache > Limits: The quota of the project is shared by every builder.",
  "Builders",
  "Builders: A builder keeps the layer store warm, and a cache of images.",
  "Builders > Multi-stage builds",
  "Builders > Multi-stage builds: Pass --build-arg to set DOCKER_BUILDKIT or use docker-bake.hcl instead.",
  "React",
  "React > useState: The hook keeps a value between renders.",
  "Sessions",
  "Sessions: Tokens of a session expire after an hour. Renew the token early.",
  "Deployment guides",
  "Deployment guides: Where to run it.",
]);

const urlsOf = (q: string, query: Partial<SearchQuery> = {}, index = site) =>
  search(index, { q, ...query }).hits.map(({ document }) => document.url);

test("1. titles", () => {
  expect(urlsOf("layer cache")[0]).toBe("/Layer-cache");
  expect(urlsOf("limits")[0]).toBe("/Layer-cache#Limits");
  expect(urlsOf("builders")[0]).toBe("/Builders");
});

test("1. the first page of a part of the site answers to the part's name", () => {
  const page = (part: string, title: string, content: string) => ({
    objectID: `${title} ${content}`,
    url: `/${title}`,
    hierarchy_lvl0: part,
    hierarchy_lvl1: title,
    hierarchy_lvl2: "null",
    content,
  });
  const parts = openIndex(
    buildIndex(
      [
        page("Start", "What a registry is", "The registry, the registry, the registry."),
        page("Registry", "How images are kept", "What a registry does."),
        page("Registry", "Push", "To the registry."),
        page("Cache", "How layers are kept", "null"),
        page("Cache", "Cache", "null"),
      ],
      { hierarchy: { url: "url", levels, content: "content" } },
    ),
  );
  expect(search(parts, { q: "registry" }).hits[0]?.document["url"]).toBe("/How images are kept");
  expect(search(parts, { q: "cache" }).hits[0]?.document["url"]).toBe("/Cache");
});

test("2. records", () => {
  const contentOf = (q: string) => search(site, { q }).hits[0]!.document.content;
  expect(contentOf("limits")).toBe("null");
  expect(contentOf("quota shared")).toContain("The quota of the project");
  const filtered = search(open(["A: one word", "A: two words"], { filterableAttributes: ["objectID"] }), {
    q: "word",
    filter: "objectID = 1",
  });
  expect(filtered.hits.map(({ id }) => id)).toEqual([1]);
});

test.for([
  ["deploym", "/Deployment-guides"],
  ["depolyment", "/Deployment-guides"],
  ["deployemnt guid", "/Deployment-guides"],
  ["sesion", "/Sessions"],
  ["buidlers", "/Builders"],
] as const)("3. %s", ([q, url]) => {
  expect(urlsOf(q)[0]).toBe(url);
});

test.for([
  ["multi stage builds", "/Builders#Multi-stage-builds"],
  ["multistage builds", "/Builders#Multi-stage-builds"],
  ["multi-stage", "/Builders#Multi-stage-builds"],
  ["usestate", "/React#useState"],
  ["use state", "/React#useState"],
  ["useSta", "/React#useState"],
  ["deploymentguides", "/Deployment-guides"],
  ["deploymentgui", "/Deployment-guides"],
  ["dockerbuildkit", "/Builders#Multi-stage-builds"],
  ["docker-bake.hcl", "/Builders#Multi-stage-builds"],
  ["build arg", "/Builders#Multi-stage-builds"],
  ["--build-arg", "/Builders#Multi-stage-builds"],
] as const)("4. %s", ([q, url]) => {
  expect(urlsOf(q)[0]).toBe(url);
});

test("5. proximity", () => {
  const far = "red one two three four five six seven eight nine ten eleven blue";
  const near = "one two three four red blue five six seven eight nine ten eleven";
  expect(urlsOf("red blue", {}, open([`A: ${far}`, `B: ${near}`]))).toEqual(["/B", "/A"]);
});

test("6. all words, rare words", () => {
  const index = open(["A: warm start", "B: warm builder", "C: warm water", "D: builder", "E: warm air"]);
  const urls = urlsOf("warm builder", {}, index);
  expect(urls[0]).toBe("/B");
  expect(urls.indexOf("/D")).toBeLessThan(urls.indexOf("/A"));
  expect(urlsOf("warm builder", { matching: "all" }, index)).toEqual(["/B"]);
});

test("7. phrases and exclusions", () => {
  const index = open(["A: the warm builder waits", "B: the builder is warm", "C: warm layers"]);
  expect(urlsOf('"warm builder"', {}, index)).toEqual(["/A"]);
  expect(urlsOf('warm -"warm builder"', {}, index).sort()).toEqual(["/B", "/C"]);
  expect(urlsOf("warm -builder", {}, index)).toEqual(["/C"]);
  expect(urlsOf("-builder", {}, index)).toEqual(["/C"]);
  expect(urlsOf('"builder warm"', {}, index)).toEqual([]);
});

test("7. phrases and exclusions know names in camel case", () => {
  const index = open(["A: Use GitHub Actions here", "B: Use actions of another kind", "C: Use GitLab"]);
  expect(urlsOf('"github actions"', {}, index)).toEqual(["/A"]);
  expect(urlsOf('"use github"', {}, index)).toEqual(["/A"]);
  expect(urlsOf("use -github", {}, index).sort()).toEqual(["/B", "/C"]);
});

test("7. phrases and exclusions are about texts, not addresses", () => {
  const index = openIndex(
    buildIndex([{ objectID: 1, url: "/docker/bake", lvl0: "Docs", lvl1: "Many images", content: "null" }], {
      hierarchy: { url: "url", levels: ["lvl0", "lvl1"], content: "content" },
    }),
  );
  const count = (q: string) => search(index, { q }).hits.length;
  expect(["bake ", "docker bake ", "many -bake", '"docker bake"', '"many images"'].map(count)).toEqual([
    1, 1, 1, 0, 1,
  ]);
});

test("7. a quote that is found elsewhere is optional in a pasted error", () => {
  const errors = open([
    "Errors > failed to compute cache key: The checksum of the file could not be calculated.",
    "Node: Copy package.json before the rest.",
  ]);
  const pasted = 'failed to compute cache key: calculate checksum "/package.json" ';
  expect(urlsOf(pasted, {}, errors)[0]).toBe("/Errors#failed-to-compute-cache-key");
  expect(urlsOf('copy "package.json" ', {}, errors)).toEqual(["/Node"]);
});

test("7. the quotes of a pasted error leave no one without an answer", () => {
  const errors = open([
    "Errors > process did not complete: The process sh -c npm ci did not complete successfully.",
  ]);
  const pasted = 'failed: process "/bin/sh -c npm ci" did not complete "exit code 1"';
  expect(search(errors, { q: pasted }).hits).toHaveLength(1);
  expect(search(errors, { q: '"npm process"' }).hits).toHaveLength(0);
  expect(search(errors, { q: '"npm process" -successfully' }).hits).toHaveLength(0);
});

test("8. synonyms and stop words", () => {
  const index = open(["A: continuous integration", "B: pipelines", "C: the the the"], {
    synonyms: { ci: ["continuous integration"], "build server": ["pipelines"] },
    stopWords: ["the"],
  });
  expect(urlsOf("ci ", {}, index)).toEqual(["/A"]);
  expect(urlsOf("build server", {}, index)).toEqual(["/B"]);
  expect(urlsOf("the pipelines", {}, index)).toEqual(["/B"]);
});

test("9. attributes to search on", () => {
  expect(urlsOf("warm", { searchOn: ["content"] })).toEqual(["/Builders"]);
  expect(urlsOf("warm", { searchOn: ["hierarchy_lvl1"] })).toEqual([]);
  expect(() => urlsOf("warm", { searchOn: ["colour"] })).toThrow("`colour` is not searchable");
});

test("10. first letters", () => {
  const many = open(Array.from({ length: 700 }, (_, at) => `Page ${at}: d${at} docker`));
  const urls = urlsOf("d", { limit: 1000 }, many);
  expect(new Set(urls).size).toBe(700);
  const pages = Array.from({ length: 10 }, (_, page) =>
    urlsOf("d", { offset: page * 70, limit: 70 }, many),
  ).flat();
  expect(pages).toEqual(urls);
  expect(search(many, { q: "d" }).total).toBe(700);
  expect(urlsOf("se")[0]).toBe("/Sessions");
});

test("11. no empty answer", () => {
  const index = open(["Draft: what a draft is", "Hooks: all of them"]);
  expect(urlsOf("drft", {}, index)).toEqual(["/Draft"]);
  expect(urlsOf("hoks", {}, index)).toEqual(["/Hooks"]);
  expect(urlsOf("zzzzzz", {}, index)).toEqual([]);
});

test("12. crawled records", () => {
  const crawled = openIndex(
    buildIndex(records(["Page: one word", "Page: two words"]), { distinctAttribute: "url" }),
  );
  expect(crawled.settings.hierarchy?.levels).toEqual(levels);
  expect(urlsOf("word", {}, crawled)).toEqual(["/Page"]);
  const alone = openIndex(buildIndex(records(["Page: one word", "Page: two words"]), {}));
  expect(urlsOf("word", {}, alone)).toEqual(["/Page", "/Page"]);
});

test("13. scores", () => {
  const { hits } = search(site, { q: "layer cache builder", showScore: true, showScoreDetails: true });
  const scores = hits.map(({ score }) => score!);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  expect(Object.keys(hits[0]!.scoreDetails!)).toEqual([
    "weight",
    "title",
    "proximity",
    "complete",
    "definition",
    "page",
  ]);
  const least = (scores[0]! + scores[1]!) / 2;
  expect(search(site, { q: "layer cache builder", minScore: least }).hits.map(({ id }) => id)).toEqual([
    hits[0]!.id,
  ]);
});
