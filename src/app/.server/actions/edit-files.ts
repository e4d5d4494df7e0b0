/**
 * Edits of the repository's YAML, through documents that keep comments, order and layout. Each function takes a file's
 * text and returns the new one.
 *
 * @throws EditError with words for the operator
 */
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { REDIRECTS_FILE } from "#docs/content/navigation/redirects.ts";
import { EditError } from "./edit-error.ts";

/** The layout of the repository's formatter: long texts stay on their line, no spaces inside brackets. */
const LAYOUT: ToStringOptions = { lineWidth: 0, flowCollectionPadding: false };

/** Adds a group of synonyms to `content/synonyms.yaml`. */
export function addSynonyms(yaml: string, words: readonly string[]): string {
  const document = read(yaml, "content/synonyms.yaml");
  const groups = document.contents ?? document.createNode<unknown>([]);
  if (!isSeq(groups)) throw new EditError("content/synonyms.yaml is not a list of word groups.");
  const wanted = words.map((word) => word.toLowerCase());
  for (const group of groups.items) {
    const known = textsOf(group).map((word) => word.toLowerCase());
    if (wanted.every((word) => known.includes(word)))
      throw new EditError(`These words are already synonyms: ${known.join(", ")}.`);
  }
  document.contents = groups;
  groups.flow = false;
  groups.add(document.createNode(words, { flow: true }));
  return document.toString(LAYOUT);
}

const RANKS = { 1: "first", 3: "top3", 5: "top5" } as const;

interface RelevanceTest {
  /** Includes the anchor where a section is the answer. */
  path: string;
  query: string;
  within: keyof typeof RANKS;
}

/** Adds a question to a file of `tests/relevance/`. */
export function addRelevanceTest(yaml: string, { path, query, within }: RelevanceTest): string {
  const document = read(yaml, "The test file");
  const pages = document.contents;
  if (!isMap(pages)) throw new EditError("The test file has no pages.");
  const ranks = pages.get(path) ?? addMap(document, pages, path);
  if (!isMap(ranks)) throw new EditError(`The test for ${path} has no lists of questions.`);
  for (const { value: questions } of ranks.items)
    if (isSeq(questions) && questions.items.some((question) => queryOf(question) === query))
      throw new EditError(`The test for ${path} already asks "${query}".`);
  const rank = RANKS[within];
  const questions = ranks.get(rank);
  if (isSeq(questions)) questions.add(document.createNode(query));
  else ranks.set(rank, document.createNode([query]));
  return document.toString(LAYOUT);
}

/** A question is its words, or a map of words and a note. */
function queryOf(question: unknown): unknown {
  if (isMap(question)) return question.get("query");
  return isScalar(question) ? question.value : undefined;
}

/** An empty map under a new key at the end, below a blank line. */
function addMap(document: Document, map: YAMLMap, name: string): YAMLMap {
  const key = new Scalar(name);
  key.spaceBefore = true;
  // The value of an empty object is a map.
  const value = document.createNode({}) as YAMLMap;
  map.add(document.createPair(key, value));
  return value;
}

/** Adds an address that has moved to `content/redirects.yaml`; existing entries stay unchanged. */
export function addRedirect(yaml: string, { from, to }: { from: string; to: string }): string {
  const { contents } = read(yaml, REDIRECTS_FILE);
  if (contents !== null && !(isSeq(contents) && !contents.flow))
    throw new EditError(`${REDIRECTS_FILE} is not a list with one redirect per line.`);
  const before = yaml === "" || yaml.endsWith("\n") ? yaml : `${yaml}\n`;
  return `${before}${contents === null && yaml !== "" ? "\n" : ""}- { from: ${from}, to: ${to} }\n`;
}

const FENCE = "---\n";

/** Adds words to `keywords` in a page's front matter; search matches them like the title. */
export function addKeyword(mdx: string, keyword: string): string {
  const end = mdx.indexOf(`\n${FENCE}`, FENCE.length - 1) + 1;
  if (!mdx.startsWith(FENCE) || end === 0) throw new EditError("The page has no front matter.");
  const yaml = mdx.slice(FENCE.length, end);
  return `${FENCE}${addToKeywords(yaml, keyword)}${mdx.slice(end)}`;
}

/** Only the list changes; the other lines stay byte for byte, because maps and lists are padded differently there. */
function addToKeywords(yaml: string, keyword: string): string {
  const document = read(yaml, "The page's front matter");
  const former: unknown = document.get("keywords", true);
  const known = isSeq(former) ? textsOf(former) : [];
  if (known.some((word) => word.toLowerCase() === keyword.toLowerCase()))
    throw new EditError(`"${keyword}" is already a keyword of the page.`);
  const list = flowList([...known, keyword]);
  if (!isCollection(former) || !former.range) return `${yaml}keywords: ${list}\n`;
  const [start, valueEnd] = former.range;
  // A list with an item on each line starts below its key.
  const isBlock = isSeq(former) && !former.flow;
  const before = isBlock ? `${yaml.slice(0, start).trimEnd()} ` : yaml.slice(0, start);
  return `${before}${list}${isBlock ? "\n" : ""}${yaml.slice(valueEnd)}`;
}

function flowList(words: readonly string[]): string {
  const list = parseDocument("");
  list.contents = list.createNode(words, { flow: true }) as unknown as typeof list.contents;
  return list.toString({ ...LAYOUT, defaultStringType: "QUOTE_DOUBLE" }).trimEnd();
}

function textsOf(node: unknown): string[] {
  if (!isSeq(node)) return [];
  return (node as YAMLSeq).items.map((item) => String(isScalar(item) ? item.value : item));
}

/** @throws EditError when the text is not YAML: an edit could lose the rest of the file */
function read(yaml: string, what: string): Document {
  const document = parseDocument<never>(yaml) as unknown as Document;
  const [error] = document.errors;
  if (error) throw new EditError(`${what} is not valid YAML: ${error.message.split("\n")[0]}`);
  return document;
}
