/*
 * Sections of documentation:
 * 1. A page with several sections about the query comes before a page with one that is slightly better.
 * 2. Not before a page whose heading was typed, nor before one with all words in a paragraph.
 * 3. A single word gets no support.
 * 4. Only the section that stands for a page is raised, by what the explanation says.
 */
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "../index.ts";

const levels = ["lvl0", "lvl1", "lvl2"];

/** `page > heading: text` lines. */
function open(lines: readonly string[]) {
  const records = lines.map((line, id) => {
    const [, page = "", lvl2 = "", content = ""] = /^(.+?) > (.+?): (.*)$/.exec(line)!;
    return { objectID: String(id), url: `/${page}#${lvl2}`, lvl0: "Docs", lvl1: page, lvl2, content };
  });
  return openIndex(buildIndex(records, { hierarchy: { url: "url", levels, content: "content" } }));
}

const MANY = [
  "One > First: The runner waits for a machine and for its label.",
  "One > Second: Every machine of this size has a label, and a runner.",
  "One > Third: Choose the label of the machine that the runner gets.",
  "One > Fourth: A runner and its machine are named by a label.",
];
const rest = Array.from(
  { length: 20 },
  (_, at) => `Page ${at} > Other: Text of another thing, number ${at}.`,
);
const find = (lines: readonly string[], q: string) =>
  search(open([...lines, ...rest]), { q, showScore: true, showScoreDetails: true }).hits;
const pageOf = ({ document }: { document: { [name: string]: unknown } }) => String(document["lvl1"]);

const single = "Two > Alone: A label, machine.";

test("1. several sections", () => {
  expect(pageOf(find([single, MANY[0]!], "label machine x ")[0]!)).toBe("Two");
  expect(pageOf(find([single, ...MANY], "label machine x ")[0]!)).toBe("One");
});

test("2. what was typed", () => {
  const heading = "Two > Machine label: It is written down.";
  expect(pageOf(find([heading, ...MANY], "machine label ")[0]!)).toBe("Two");
  const text = "Two > Alone: The quota of a frobnicator machine label.";
  expect(pageOf(find([text, ...MANY], "frobnicator machine label ")[0]!)).toBe("Two");
});

test("3. a single word", () => {
  for (const hit of find(MANY, "label ")) expect(hit.scoreDetails!["page"]).toMatchObject({ score: 0 });
});

test("4. the best section", () => {
  const hits = find(MANY, "label machine x ").filter((hit) => pageOf(hit) === "One");
  const supports = hits.map(({ scoreDetails }) => Number(scoreDetails!["page"]!["score"]));
  expect(supports[0]).toBeGreaterThan(0);
  expect(supports.slice(1)).toEqual([0, 0, 0]);
  const others = hits.slice(1).map(({ score }) => score!);
  expect(supports[0]).toBeCloseTo(others.reduce((sum, score, at) => sum + score / 2 ** (at + 1), 0));
});
