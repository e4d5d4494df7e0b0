/**
 * Queries with known answers, made from a site's own records and links. Random choices are seeded by the query's text, so the
 * same site always gives the same queries. The classes are those of bench/README.md.
 */
import { type CorpusQuery, type CorpusRecord, pageOf } from "./corpus.ts";
import { cutLast, joinOrSplit, misspell, type Random, seededRandom, shuffle } from "./disturb.ts";
import type { MarkdownSite } from "./read-markdown.ts";

/** Queries kept per class. */
const MOST = { link: 400, title: 150, heading: 250, body: 150, disturbed: 250 };
/** A text that leads to more pages than this has no right answer. */
const MOST_PAGES = 3;
const GENERIC =
  /^(?:here|this|link|docs?|documentation|see|read|learn|more|read more|learn more|see more|guide|example|examples|source|api)$/i;
const FEW_WORDS = 8;

export function makeQueries(site: MarkdownSite): CorpusQuery[] {
  const headings = site.records.filter(({ type }) => type !== "content");
  const base = [
    ...pick(MOST.link, "link", answersOf(site.links.map(({ text, to }) => [text, to]))),
    ...pick(
      MOST.title,
      "title",
      answersOf(headings.filter(isTitle).map((record) => [nameOf(record), record.url])),
    ),
    ...pick(
      MOST.heading,
      "heading",
      // A title is an answer too, but not a query of this class.
      answersOf(headings.map((record) => [nameOf(record), record.url])).filter(({ urls }) =>
        urls.some((url) => url.includes("#")),
      ),
    ),
  ];
  const body = pick(MOST.body, "body", bodyAnswers(site.records));
  const disturb = (name: string, change: (q: string, random: Random) => string | null) => {
    const changed = base.flatMap((query) => {
      const q = change(query.q, seededRandom(`${name} ${query.q}`));
      return q === null || q === query.q ? [] : [{ ...query, class: name, q }];
    });
    return shuffle(changed, seededRandom(name)).slice(0, MOST.disturbed);
  };
  return [
    ...base,
    ...body,
    ...disturb("typo", (q, random) => misspell(q, "one", random)),
    ...disturb("typos", (q, random) => misspell(q, "all", random)),
    ...disturb("prefix", cutLast),
    ...disturb("typo+prefix", (q, random) => {
      const cut = cutLast(q, random);
      return cut === null ? null : misspell(cut, "earlier", random);
    }),
    ...disturb("order", (q, random) => {
      const words = q.split(" ");
      return words.length < 2 ? null : shuffle(words, random).join(" ");
    }),
    ...disturb("split", joinOrSplit),
  ];
}

interface Answer {
  q: string;
  urls: string[];
}

/** Text → the addresses that it names, except texts that name nothing or too much. */
function answersOf(pairs: [text: string, url: string][]): Answer[] {
  const byText = new Map<string, { q: string; urls: Set<string> }>();
  for (const [text, url] of pairs) {
    const words = text.split(" ");
    if (text.length < 2 || words.length > FEW_WORDS || GENERIC.test(text)) continue;
    const known = byText.get(text.toLowerCase()) ?? { q: text, urls: new Set() };
    byText.set(text.toLowerCase(), { ...known, urls: known.urls.add(url) });
  }
  return [...byText.values()]
    .map(({ q, urls }) => ({ q, urls: [...urls] }))
    .filter(({ urls }) => new Set(urls.map(pageOf)).size <= MOST_PAGES);
}

/** Three or four of a paragraph's rarer words, in order; every page with a record that has all of them is right. */
function bodyAnswers(records: readonly CorpusRecord[]): Answer[] {
  const texts = records
    .filter(({ type }) => type === "content")
    .map(({ content, url }) => ({ url, words: wordsOf(content) }));
  const counts = new Map<string, number>();
  for (const { words } of texts)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = texts.map(({ url, words }) => ({ url, words: new Set(words) }));
  const random = seededRandom("body");
  const answers: Answer[] = [];
  for (const { words } of shuffle(texts, random)) {
    if (answers.length >= 2 * MOST.body) break;
    const long = [...new Set(words)].filter((word) => word.length >= 4);
    if (long.length < 6) continue;
    const rarer = long.sort((a, b) => counts.get(a)! - counts.get(b)!).slice(0, Math.ceil(long.length * 0.7));
    const chosen = new Set(shuffle(rarer, random).slice(0, 3 + Math.floor(random() * 2)));
    const q = [...new Set(words)].filter((word) => chosen.has(word));
    const urls = all.filter((text) => q.every((word) => text.words.has(word))).map(({ url }) => url);
    if (new Set(urls.map(pageOf)).size <= MOST_PAGES)
      answers.push({ q: q.join(" "), urls: [...new Set(urls)] });
  }
  return answers;
}

function pick(most: number, name: string, answers: Answer[]): CorpusQuery[] {
  return shuffle(answers, seededRandom(name))
    .slice(0, most)
    .map(({ q, urls }) => ({ class: name, q, pages: [...new Set(urls.map(pageOf))], urls }));
}

function isTitle({ type }: CorpusRecord): boolean {
  return type === "lvl1";
}

function nameOf(record: CorpusRecord): string {
  return String(record[`hierarchy_${record.type}`]);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
