/** The vectors of an index's sections and pages and of its pages' known questions, built beside the index as one file. */
import { createHash } from "node:crypto";
import { type OpenedIndex, openIndex, type SearchDocument } from "#search/index.ts";
import { writeChecked } from "./checked-file.ts";
import { MEANING_MAGIC, MEANING_VERSION } from "./open-meaning.ts";
import { packVectors, sumOf, type Vectors } from "./vectors.ts";
import { readWordsTable, type WordsTable } from "./words-table.ts";

/** A page's known questions by the part of its address from the first `/docs`. */
export interface KnownQuestions {
  path: string;
  questions: readonly string[];
}

const LEVELS = ["hierarchy_lvl1", "hierarchy_lvl2", "hierarchy_lvl3", "hierarchy_lvl4"] as const;
/** Titles say more than text. */
const TITLE_WEIGHT = 6;
const PAGE_TITLE_WEIGHT = 4;
/** Pieces of a section's text that count. */
const TEXT_PIECES = 150;
const PAGE_PIECES = 300;
/** How much the rarity of a piece among the sections decides. */
const RARITY = 0.5;

interface Texts {
  title: string;
  text: string;
}

/** @param index the bytes of the index file, whose sections the numbers of the result are */
export function buildMeaning(
  tableBytes: Uint8Array,
  index: Uint8Array,
  known: readonly KnownQuestions[],
): Uint8Array {
  const table = readWordsTable(tableBytes);
  const opened = openIndex(index);
  const sections = Array.from({ length: opened.unitCount }, (_, unit) => textsOfUnit(opened, unit));
  const weights = pieceWeights(table, sections);
  const weigh = (texts: Texts, titleWeight: number, most: number) =>
    sumOf(table, weightedPieces(weights, countPieces(table, texts, titleWeight, most)));
  const pages = textsOfPages(opened, sections);
  const places = new Map(pages.map(({ path }, place) => [path, place]));
  const asked = known.flatMap(({ path, questions }) => {
    const page = places.get(path);
    return page === undefined ? [] : questions.map((question) => ({ page, question }));
  });
  const parts = {
    sections: packVectors(
      sections.map((one) => weigh(one, TITLE_WEIGHT, TEXT_PIECES)),
      table.dimensions,
    ),
    pages: packVectors(
      pages.map((one) => weigh(one, PAGE_TITLE_WEIGHT, PAGE_PIECES)),
      table.dimensions,
    ),
    questions: packVectors(
      asked.map(({ question }) => weigh({ title: "", text: question }, 1, 64)),
      table.dimensions,
    ),
    questionPages: Uint32Array.from(asked, ({ page }) => page),
    weights,
  };
  return packMeaning(tableBytes, index, parts);
}

interface Parts {
  sections: Vectors;
  pages: Vectors;
  questions: Vectors;
  questionPages: Uint32Array;
  weights: Float32Array;
}

/** In the order in which open-meaning.ts reads. Parts of four-byte numbers come first, so that none is copied. */
function packMeaning(table: Uint8Array, index: Uint8Array, parts: Parts): Uint8Array {
  const { sections, pages, questions, questionPages, weights } = parts;
  const digest = createHash("sha256").update(index).digest();
  const wide = [sections.scales, pages.scales, questions.scales, questionPages, weights];
  const narrow = [sections.rows, pages.rows, questions.rows, table];
  const pieces = [...wide, ...narrow].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const tableBytes = new Uint8Array(Uint32Array.of(table.length).buffer);
  const body = Buffer.concat([digest, tableBytes, ...pieces]);
  const numbers = [sections.count, pages.count, questions.count] as const;
  return writeChecked(MEANING_MAGIC, MEANING_VERSION, { numbers, body });
}

function textsOfUnit(index: OpenedIndex, unit: number): Texts {
  const documents = documentsOf(index, unit);
  const [first = {}] = documents;
  const title = [...LEVELS.map((level) => textOf(first, level)), ...documents.flatMap(keywordsOf)];
  return { title: title.join(" "), text: documents.map((one) => textOf(one, "content")).join(" ") };
}

function documentsOf(index: OpenedIndex, unit: number): SearchDocument[] {
  const { unitDocumentStarts: starts, unitDocuments } = index;
  const places = Array.from({ length: starts[unit + 1]! - starts[unit]! }, (_, at) => starts[unit]! + at);
  return places.map((place) => index.document(unitDocuments[place]!));
}

const textOf = (document: SearchDocument, name: string) => {
  const value = document[name];
  return typeof value === "string" && value !== "null" ? value : "";
};
const keywordsOf = ({ keywords }: SearchDocument) => (Array.isArray(keywords) ? keywords.map(String) : []);

/** A page is its title, its description, and the headings of its sections. */
function textsOfPages(index: OpenedIndex, sections: readonly Texts[]): (Texts & { path: string })[] {
  const pages: (Texts & { path: string })[] = [];
  for (const [unit, section] of sections.entries()) {
    const [first = {}] = documentsOf(index, unit);
    const page = (pages[index.unitPages[unit]!] ??= {
      path: pathOf(textOf(first, "url")),
      title: section.title,
      text: section.text,
    });
    page.text += ` ${LEVELS.slice(1)
      .map((level) => textOf(first, level))
      .join(" ")}`;
  }
  return pages;
}

const pathOf = (url: string) => URL.parse(url, "http://docs.invalid")?.pathname ?? "";

function countPieces(
  table: WordsTable,
  texts: Texts,
  titleWeight: number,
  most: number,
): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (text: string, weight: number, pieces: number) => {
    for (const piece of table.piecesOf(text, pieces)) counts.set(piece, (counts.get(piece) ?? 0) + weight);
  };
  add(texts.title, titleWeight, 60);
  add(texts.text, 1, most);
  return counts;
}

const weightedPieces = (weights: Float32Array, counts: ReadonlyMap<number, number>) =>
  [...counts].map(([piece, count]) => [piece, weights[piece]! * (1 + Math.log(count))] as const);

function pieceWeights(table: WordsTable, sections: readonly Texts[]): Float32Array {
  const found = new Uint32Array(table.count);
  for (const { title, text } of sections)
    for (const piece of new Set(table.piecesOf(`${title} ${text}`, TEXT_PIECES + 60))) found[piece]!++;
  const most = Math.log(sections.length + 1);
  return Float32Array.from(found, (count) => {
    const rarity = most === 0 ? 1 : Math.log((sections.length + 1) / (count + 1)) / most;
    return 1 - RARITY + RARITY * rarity;
  });
}
