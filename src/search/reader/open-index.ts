import { Dictionary } from "../dictionary/dictionary.ts";
import { ColumnStore } from "../file/column-store.ts";
import { type Container, type FileArray, readContainer } from "../file/container.ts";
import { createDocumentCache } from "../file/document-cache.ts";
import { DocumentStore } from "../file/document-store.ts";
import { startsOf } from "../file/number-list.ts";
import { readShortAnswers, type ShortAnswer } from "../file/short-answers.ts";
import { decodeUtf8 } from "../file/utf8.ts";
import { createTokenizer, type Tokenize } from "../text/tokenize.ts";
import type { ReadMeaning } from "../contract/meaning.ts";
import type { Column, Index, IndexSettings, Json, SearchDocument } from "../contract/types.ts";

/** The engine's own view of an opened file; see indexing/inverter.ts for what the arrays hold. */
export interface OpenedIndex extends Index {
  readonly byteLength: number;
  readonly tokenize: Tokenize;
  /** Folded; of `can't`, `can t`. */
  readonly stopWords: ReadonlySet<string>;
  /** Words in a row, joined by spaces → the words in a row that also match. */
  readonly synonyms: ReadonlyMap<string, readonly string[][]>;
  /** The same for words that the documents hardly have. */
  readonly concepts: ReadonlyMap<string, readonly string[][]>;
  readonly dictionary: Dictionary;
  /** Names of the searchable attributes, as `blockAttributes` numbers them. */
  readonly attributes: readonly string[];
  readonly unitCount: number;
  readonly postingStarts: Uint32Array;
  readonly postingUnits: FileArray;
  readonly postingImpacts: Uint8Array;
  readonly stream: FileArray;
  readonly unitBlocks: Uint32Array;
  readonly unitPages: FileArray;
  readonly unitDocumentStarts: Uint32Array;
  readonly unitDocuments: FileArray;
  readonly blockStarts: Uint32Array;
  readonly blockFields: Uint8Array;
  readonly blockAttributes: FileArray;
  readonly blockDocuments: FileArray;
  /** The first hits for a prefix of one or two letters; null if they are not kept. */
  shortAnswer(prefix: string): ShortAnswer | null;
  /** The attributes of a document that are wanted, and no others decoded. */
  readDocument(id: number, isWanted: (name: string) => boolean): SearchDocument;
  /** The whole document, kept for the next search that finds it: not to be changed. */
  sharedDocument(id: number): SearchDocument;
  /** The number of the document with a primary key; -1 if there is none. */
  findDocument(primaryKey: string | number): number;
  /** Absent: searches know words alone. */
  readonly readMeaning?: ReadMeaning;
  /** Other forms of a word; absent: English ones. */
  readonly inflections?: (word: string) => string[];
}

interface Meta {
  settings: IndexSettings;
  attributes: string[];
  fieldCounts: { [attribute: string]: number };
}

/**
 * Opens what `buildIndex` wrote, without copying: the bytes must stay as they are. Costs one pass over the bytes for
 * the checksum. Throws `SearchError`: `index_foreign`, `index_version`, `index_truncated` or `index_damaged`.
 */
export function openIndex(bytes: Uint8Array, options: OpenOptions = {}): OpenedIndex {
  return openContainer(readContainer(bytes), bytes.byteLength, options);
}

export interface OpenOptions {
  /**
   * Returns the text to show for a text of a document, and fills a place that the index leaves open. Searches, filters
   * and sorts use the text as it was indexed.
   */
  showText?: (text: string) => string;
  /** Tells which sections are near what a query means. */
  readMeaning?: ReadMeaning;
  /** For texts that are not in English: gets the words of the index, and returns what finds other forms of a word. */
  inflect?: Inflect;
}

export type Inflect = (words: Iterable<string>) => (word: string) => string[];

export function openContainer(
  file: Container,
  byteLength: number,
  { showText, readMeaning, inflect }: OpenOptions = {},
): OpenedIndex {
  const meta = readMeta(file);
  const stored = new DocumentStore(file);
  const store = showText ? shownDocuments(stored, showText) : stored;
  const shared = createDocumentCache((id) => store.read(id));
  const columns = new ColumnStore(file);
  const unitBlocks = file.words("units.blocks");
  const tokenize = createTokenizer(meta.settings);
  const dictionary = new Dictionary(file);
  let keys: Map<string, number> | null = null;
  return {
    ...meta,
    ...(readMeaning && { readMeaning }),
    ...(inflect && { inflections: inflect(dictionary.terms()) }),
    byteLength,
    documentCount: store.count,
    columnNames: columns.names,
    tokenize,
    stopWords: readStopWords(meta.settings, tokenize),
    synonyms: readSynonyms(meta.settings.synonyms, tokenize),
    concepts: readSynonyms(meta.settings.concepts ?? {}, tokenize),
    dictionary,
    unitCount: unitBlocks.length - 1,
    postingStarts: file.words("postings.starts"),
    postingUnits: file.numbers("postings.units"),
    postingImpacts: file.bytes("postings.impacts"),
    stream: file.numbers("units.stream"),
    unitBlocks,
    unitPages: file.numbers("units.pages"),
    unitDocumentStarts: file.words("units.documentStarts"),
    unitDocuments: file.numbers("units.documents"),
    // Four bytes each in memory, one or two in the file.
    blockStarts: startsOf(file.numbers("blocks.lengths")),
    blockFields: file.bytes("blocks.fields"),
    blockAttributes: file.numbers("blocks.attributes"),
    blockDocuments: file.numbers("blocks.documents"),
    shortAnswer: readShortAnswers(file),
    document: (id: number): SearchDocument => store.read(id),
    readDocument: (id: number, isWanted: (name: string) => boolean): SearchDocument =>
      store.read(id, isWanted),
    sharedDocument: (id: number): SearchDocument => shared.get(id),
    column: (attribute: string): Column | null => columns.column(attribute),
    findDocument(primaryKey: string | number): number {
      keys ??= readKeys(store, meta.settings.primaryKey);
      return keys.get(String(primaryKey)) ?? -1;
    },
  };
}

function shownDocuments(
  store: DocumentStore,
  showText: (text: string) => string,
): Pick<DocumentStore, "count" | "read"> {
  const show = (value: Json): Json => {
    if (typeof value === "string") return showText(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(show);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, show(part)]));
  };
  return {
    count: store.count,
    // An object stays one.
    read: (id, isWanted) => show(store.read(id, isWanted)) as SearchDocument,
  };
}

function readMeta(file: Container): Meta {
  const bytes = file.bytes("meta");
  // Written by `buildIndex`, proved by the file's checksum.
  return JSON.parse(decodeUtf8(bytes, 0, bytes.length)) as Meta;
}

function readStopWords({ stopWords }: IndexSettings, tokenize: Tokenize): Set<string> {
  const wordsOf = (text: string) => tokenize(text).map(({ word }) => word);
  return new Set(stopWords.map((text) => wordsOf(text).join(" ")));
}

function readSynonyms(table: IndexSettings["synonyms"], tokenize: Tokenize): Map<string, string[][]> {
  const wordsOf = (text: string) => tokenize(text).map((token) => token.word);
  const synonyms = new Map<string, string[][]>();
  for (const [text, alternatives] of Object.entries(table)) {
    const key = wordsOf(text).join(" ");
    const words = alternatives.map(wordsOf).filter(({ length }) => length > 0);
    if (key !== "") synonyms.set(key, [...(synonyms.get(key) ?? []), ...words]);
  }
  return synonyms;
}

function readKeys(store: Pick<DocumentStore, "count" | "read">, primaryKey: string): Map<string, number> {
  const keys = new Map<string, number>();
  for (let id = 0; id < store.count; id++) {
    keys.set(String(store.read(id, (name) => name === primaryKey)[primaryKey]), id);
  }
  return keys;
}
