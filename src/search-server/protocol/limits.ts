/** Every cap of the HTTP side. A request above a cap is refused with an error that names it. */
import { MAX_WORK } from "#search/index.ts";

/**
 * Entries in a list of a search: attributes, facets, sort rules, locales. Duplicates count, then are dropped.
 */
export const MAX_LIST_ITEMS = 100;

/** UTF-16 units of a name: of an attribute, a sort rule, an index. */
export const MAX_NAME_LENGTH = 500;

/** UTF-16 units of a text put into every hit: a tag before or after a match, the marker of a crop. */
export const MAX_TAG_LENGTH = 100;

/** Expressions in a filter's arrays, inner ones included; as many as a filter may have conditions. */
export const MAX_FILTER_ITEMS = 2000;

/**
 * Entries in a list of settings (stop words, a dictionary, synonyms), and in a list of document ids to
 * delete.
 */
export const MAX_SETTING_ITEMS = 100_000;

/** The most ranking rules, localized attributes and sorted facets that one index can have. */
export const MAX_SETTING_RULES = 1_000;

/** Keys of an object whose keys the client chooses. */
export const MAX_OBJECT_KEYS = 100;

/** Numbers in a vector: the largest models that are in use give 4096. */
export const MAX_VECTOR_LENGTH = 4096;

/** Embedders of one index, and names in one document's `_vectors`. */
export const MAX_EMBEDDERS = 16;

/** Vectors of one document for one embedder. */
export const MAX_DOCUMENT_VECTORS = 100;

/** Bytes of all vectors of one index, four for each number: 10,000 documents with 1536 numbers each have 61 MB. */
export const MAX_INDEX_VECTOR_BYTES = 64 * 1024 * 1024;

/** Bytes of the vectors that searches keep in memory; the ones that were not used for longest are read again. */
export const MAX_KEPT_VECTOR_BYTES = 64 * 1024 * 1024;

/** Embedders whose vectors are kept, of all indexes: those without vectors have no bytes. */
export const MAX_KEPT_VECTOR_SETS = 64;

/** Fields of one record of a CSV, and of all its records: millions of empty ones take hundreds of megabytes. */
export const MAX_CSV_COLUMNS = 1_000;
export const MAX_CSV_FIELDS = 1_000_000;

/** Nesting of arrays and objects in a body; the protocol's go seven deep, documents rarely deeper. */
export const MAX_JSON_DEPTH = 64;

/** Milliseconds for the body of a search; one with documents has as long as the server allows. */
export const BODY_MS = 60_000;

/** UTF-16 units of an error's message, which may repeat what was sent. */
export const MAX_MESSAGE_LENGTH = 4000;

/**
 * Milliseconds for which searches may hold up everything else; a longer search continues after the others.
 */
export const TURN_MS = 10;

/** The same when so many requests arrive that reading them takes longer than `TURN_MS`. */
export const LONGEST_TURN_MS = 25;

/** Answers with more bytes are compressed by another thread; for smaller ones handing over takes longer. */
export const MAX_COMPRESSED_HERE_BYTES = 64 * 1024;

/** UTF-16 units of an index's name: with its ending it must be a valid file name everywhere. */
export const MAX_UID_LENGTH = 200;

/** UTF-16 units of a body whose answer is kept: readers type short texts, pasted ones are not repeated. */
export const MAX_CACHED_BODY_LENGTH = 2048;

/** Bytes of one answer that is kept. */
export const MAX_CACHED_ANSWER_BYTES = 512 * 1024;

/** Keys that are kept; more are refused until one is deleted. */
export const MAX_API_KEYS = 1000;

/** Names and patterns of indexes in one key. */
export const MAX_KEY_INDEXES = 100;

/** UTF-16 units of a key's name or description. */
export const MAX_KEY_TEXT_LENGTH = 500;

/** Characters of the Authorization header; a token contains its rules. Longer ones are not read. */
export const MAX_CREDENTIAL_LENGTH = 8192;

/** Wrong keys from one address in a minute. Valid ones do not count. */
export const WRONG_KEYS_PER_MINUTE = 10;

/** Foreign keys of one index, and ids in one hit whose documents are looked up; further ids stay. */
export const MAX_FOREIGN_KEYS = 20;
export const MAX_FOREIGN_DOCUMENTS = 100;

/** Dynamic search rules of the server: every search looks at all of them. */
export const MAX_PIN_RULES = 200;

/** Documents that one rule pins, and that all rules together pin in one search; documents beyond them are not pinned. */
export const MAX_RULE_PINS = 50;
export const MAX_SEARCH_PINS = 100;

/** UTF-16 units of a rule's description, and of the words of its condition. */
export const MAX_RULE_TEXT_LENGTH = 500;

/** UTF-16 units of the id of a pinned document, as long as a document's own may be. */
export const MAX_PINNED_ID_LENGTH = 511;

/** UTF-16 units of a template, and of what it makes of a document. */
export const MAX_TEMPLATE_LENGTH = 10_000;
export const MAX_RENDERED_LENGTH = 1_000_000;

/** Tags and outputs that one rendering may go through, and the objects that it may make, in the unit of Liquid's library. */
export const MAX_TEMPLATE_STEPS = 100_000;
export const MAX_TEMPLATE_MEMORY = 10_000_000;

/** Milliseconds that a rendering may take by its own count, and after which its thread is stopped: starting one takes a while. */
export const TEMPLATE_MS = 1_000;
export const TEMPLATE_THREAD_MS = 20_000;

/** Megabytes of the heap of that thread, and templates that may wait for it. */
export const TEMPLATE_HEAP_MB = 64;
export const MAX_WAITING_TEMPLATES = 20;

/** Webhooks of the server. */
export const MAX_WEBHOOKS = 20;

/** UTF-16 units of a webhook's address; headers of one webhook, and UTF-16 units of a name or a value. */
export const MAX_WEBHOOK_URL_LENGTH = 2000;
export const MAX_WEBHOOK_HEADERS = 50;
export const MAX_WEBHOOK_HEADER_LENGTH = 2000;

/** Milliseconds that one attempt to call a webhook may take, from the look-up of its name to the end of its answer. */
export const WEBHOOK_MS = 10_000;

/** Milliseconds before each further attempt; after the last one the call is given up, and the log says so. */
export const WEBHOOK_PAUSES_MS = [5_000, 30_000, 120_000];

/** Bytes of all calls that wait, in equal shares for the webhooks; what exceeds a share is given up, and the log says so. */
export const MAX_WAITING_WEBHOOK_BYTES = 16 * 1024 * 1024;

export interface SearchLimits {
  /** Bytes of a body on the public search routes. A pasted paragraph with filters is under 10 KB. */
  searchBodyBytes: number;
  /** Bytes of a body on the admin routes: one batch of documents. */
  adminBodyBytes: number;
  /** Queries in one multi-search. */
  queriesPerRequest: number;
  /** UTF-16 units of `q`; longer ones are cut, not refused: someone pasted a log. */
  queryLength: number;
  /** Words of `q` that are read; further words are ignored, as Meilisearch ignores all after the tenth. */
  queryWords: number;
  /** Hits that a federated search may reach. A search of one index may reach the index's `maxTotalHits`. */
  federatedHits: number;
  /** UTF-16 units of all filter expressions of one query. */
  filterLength: number;
  /** Facets that one query may ask for. */
  facetsPerQuery: number;
  /**
   * Milliseconds for all queries of one request, from its turn to the last hit: after that, hits are missing
   * at the end (`degraded`), and the remaining queries are refused. One search has its own limit in the
   * engine (`cutoffMs`, 1500), after which it answers with what it has.
   */
  requestMs: number;
  /** The same in units of work (`Work`), which do not depend on the machine. */
  requestWork: number;
  /**
   * Bytes of JSON in one answer; hits beyond it are missing (`degraded`). Twenty hits of documentation have
   * 30 KB; making the JSON of a full answer blocks everything for about 20 ms.
   */
  answerBytes: number;
  /** Searches that may wait for their turn; more are refused with 503. */
  waitingSearches: number;
  /** Milliseconds that a search may wait; then it is refused with 503. */
  searchWaitMs: number;
  /** Unfinished searches, each with a part of its answer in memory; further long ones get 503. */
  startedSearches: number;
  /** Documents that one fetch may ask for. */
  documentsPerFetch: number;
  /** Tasks that may wait; more writes get 503 until some are done. */
  waitingTasks: number;
  /** Finished tasks that are remembered. */
  finishedTasks: number;
  /**
   * Bytes of a write's body that are checked here and kept in the task's row; a thread checks longer ones, as
   * files.
   */
  inlinePayloadBytes: number;
  /** Bytes of a waiting task's JSON or CSV that `/tasks/:uid/documents` turns into NDJSON: about 20 ms. */
  taskDocumentBytes: number;
  /** Bytes of all bodies that wait for their tasks; more get 503 until some are done. */
  waitingPayloadBytes: number;
  /** Bytes of bodies that one build takes together; at least one task, however large. */
  batchPayloadBytes: number;
  /** UTF-16 units of JSON in a task's details; in longer ones the long values are left out. */
  taskDetailsLength: number;
  /** Pairs that one swap may exchange: each of their indexes is rewritten. */
  swapsPerRequest: number;
  /** Bytes of answers kept for repeated identical searches; 0 keeps none. */
  cachedAnswerBytes: number;
}

export const DEFAULT_LIMITS: SearchLimits = {
  searchBodyBytes: 256 * 1024,
  adminBodyBytes: 100 * 1024 * 1024,
  queriesPerRequest: 20,
  queryLength: 2000,
  queryWords: 50,
  federatedHits: 1000,
  filterLength: 50_000,
  facetsPerQuery: 100,
  requestMs: 5000,
  requestWork: MAX_WORK,
  answerBytes: 3 * 1024 * 1024,
  waitingSearches: 256,
  searchWaitMs: 1000,
  startedSearches: 16,
  documentsPerFetch: 1000,
  waitingTasks: 1000,
  finishedTasks: 10_000,
  inlinePayloadBytes: 64 * 1024,
  taskDocumentBytes: 1024 * 1024,
  waitingPayloadBytes: 1024 * 1024 * 1024,
  batchPayloadBytes: 128 * 1024 * 1024,
  taskDetailsLength: 8192,
  swapsPerRequest: 100,
  cachedAnswerBytes: 32 * 1024 * 1024,
};
