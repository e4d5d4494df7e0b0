/*
 * Questions, asked of documentation:
 * 1. Stop words before a question change neither the hits nor their number; marks are made for the other words only.
 * 2. Stop words alone find texts that have them, also in quotes.
 * 3. A title made of stop words comes first where it was typed exactly.
 * 4. A word of up to four letters has no typos unless nothing else is found; a longer one has them.
 * 5. Letters of several flags are not a word.
 * 6. Frequent words next to a rare one find nothing; a text that has all words is always found.
 * 7. The verb of a question says less than what the question is about, even unfinished.
 * 8. Documents that stand alone forgive as many typos as the settings say, and have stop words as Meilisearch has them.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex, search, stopWordsOf, type IndexSettings } from "../index.ts";

const levels = ["lvl0", "lvl1", "lvl2"];
const hierarchy = { url: "url", levels, content: "content" };

function open(texts: readonly string[], settings: Partial<IndexSettings> = {}) {
  const records = texts.map((text, id) => {
    const [lvl1 = "", content = "null"] = text.split(": ");
    return { objectID: String(id), url: `/p${id}`, lvl0: "Docs", lvl1, lvl2: "null", content };
  });
  return openIndex(buildIndex(records, { hierarchy, stopWords: stopWordsOf("en"), ...settings }));
}
const find = (index: ReturnType<typeof open>, q: string) =>
  search(index, { q, limit: 1000 }).hits.map(({ document }) => String(document["lvl1"]));

const WORDS = ["cache", "build", "log", "image", "the", "how", "it", "is", "what", "runner", "caches"];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((list) => list.join(" "));
const stopWord = fc.constantFrom("how", "do", "i", "the", "what", "is", "it", "can't");
const content = fc.constantFrom("cache", "build", "log", "image", "runner", "cach");

test("1. stop words before a question", () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.array(stopWord, { maxLength: 5 }),
      fc.array(content, { minLength: 1, maxLength: 4 }),
      (texts, before, asked) => {
        const index = open(texts);
        const q = `${asked.join(" ")} `;
        const plain = search(index, { q, limit: 1000 });
        const question = search(index, { q: `${before.join(" ")} ${q}`, limit: 1000 });
        expect(question.total).toBe(plain.total);
        const ids = ({ hits }: typeof plain) => hits.map(({ id }) => id).sort();
        expect(ids(question)).toEqual(ids(plain));
      },
    ),
    { numRuns: 60 },
  );
  const [hit] = search(open(["How it works: how the cache works"]), {
    q: "how does the cache work",
    limit: 1,
    highlight: { attributes: ["content"], preTag: "<", postTag: ">" },
  }).hits;
  expect(hit!.formatted!["content"]).toBe("how the <cache> <work>s");
});

test("2. stop words alone", () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 10 }),
      fc.array(fc.constantFrom("the", "how", "it", "is", "what", "to", "be"), { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", " "),
      (texts, asked, end) => {
        const has = (one: string) =>
          one.split(" ").some((word) => asked.some((stopWord) => stopWord === word));
        const found = find(open(texts), `${asked.join(" ")}${end}`);
        for (const one of texts.filter(has)) expect(found).toContain(one);
      },
    ),
    { numRuns: 60 },
  );
  expect(find(open(["A: to be or not", "B: not to be"]), '"not to be"')).toEqual(["B"]);
});

test("3. titles made of stop words", () => {
  const index = open([
    "Cache works: how it caches",
    "How it works: the cache",
    "Works: the cache and how it is",
  ]);
  expect(find(index, "how it works")[0]).toBe("How it works");
});

test("4. typos of short words", () => {
  const index = open(["Small images: draft", "Images: users"]);
  expect(find(index, "saml users")).toEqual(["Images"]);
  expect(find(index, "drft")).toEqual(["Small images"]);
  expect(find(index, "usres")).toEqual(["Images"]);
  expect(find(open(["Small images", "SAML"]), "saml")).toEqual(["SAML"]);
});

test("5. flags", () => {
  const index = open(["Download: curl -sSo file", "Identity: no single sign-on"]);
  expect(find(index, "sso")).toEqual([]);
  expect(find(index, '"curl -sSo"')).toEqual(["Download"]);
});

test("6. the words that matter", () => {
  const many = Array.from({ length: 40 }, (_, at) => `Build ${at}: the build`);
  const slow = Array.from({ length: 25 }, (_, at) => `Slow ${at}: what is slow`);
  const index = open([...many, ...slow, "Both: a slow build"]);
  const found = find(index, "why is my build slow ");
  expect(found[0]).toBe("Both");
  expect(found).toHaveLength(26);
  expect(search(index, { q: "why is my build slow ", facets: [], limit: 1 }).total).toBe(26);
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      fc.array(content, { minLength: 1, maxLength: 4 }),
      (texts, asked) => {
        const q = `${asked.join(" ")} `;
        const all = search(open(texts), { q, matching: "all", limit: 1000 }).hits.map(({ id }) => id);
        const found = search(open(texts), { q, limit: 1000 }).hits.map(({ id }) => id);
        expect(all.filter((id) => !found.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

test("7. verbs of questions", () => {
  const rest = Array.from({ length: 40 }, (_, at) => `Other ${at}: text`);
  const index = open([
    ...rest,
    "A: in preview",
    "B: no preview",
    "What does exit code 3 mean",
    "Preview: parts that come later",
  ]);
  expect(find(index, "what does preview mean")[0]).toBe("Preview");
});

test("8. documents that stand alone", () => {
  const documents = ["small draft", "the image theme", "deployment"].map((text, id) => ({ id, text }));
  const index = openIndex(buildIndex(documents, { primaryKey: "id", stopWords: ["the"] }));
  const ids = (q: string) => search(index, { q }).hits.map(({ document }) => document["id"]);
  expect([ids("drft"), ids("drfat"), ids("deplymen ")]).toEqual([[], [0], []]);
  expect(ids("the draft")).toEqual([0]);
  // The last word may be the beginning of another; what is typed before it stays, as with `last`.
  expect(ids("image the")).toEqual([1]);
  expect(ids("draft the")).toEqual([0]);
});
