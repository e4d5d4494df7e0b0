/** Every cap of the HTTP side, in one place. What is over a cap is refused with an error that names the cap. */
export interface SearchLimits {
  /** Bytes of a body on the public search routes. A pasted paragraph with filters is under 10 KB. */
  searchBodyBytes: number;
  /** Bytes of a body on the admin routes: one batch of documents. */
  adminBodyBytes: number;
  /** Queries in one multi-search. */
  queriesPerRequest: number;
  /** UTF-16 units of `q`; what is longer is cut, not refused: someone pasted a log. */
  queryLength: number;
  /** Words of `q` that are looked at; further words are ignored, as Meilisearch ignores all after the tenth. */
  queryWords: number;
  /** Hits that a federated search may reach. A search of one index may reach the index's `maxTotalHits`. */
  federatedHits: number;
  /** UTF-16 units of all filter expressions of one query. */
  filterLength: number;
  /** Facets that one query may ask for. */
  facetsPerQuery: number;
  /**
   * Milliseconds for all queries of one request together; those that are left then are refused. One search has its
   * own limit in the engine (`cutoffMs`, 1500), after which it answers with what it has.
   */
  requestMs: number;
  /** Documents that one fetch may ask for. */
  documentsPerFetch: number;
  /** Tasks that may wait; further writes get 503 until some are done. */
  waitingTasks: number;
  /** Finished tasks that are remembered. */
  finishedTasks: number;
  /** Bytes of a write's body that are checked here and kept in the task's row; longer ones are files that a thread checks. */
  inlinePayloadBytes: number;
  /** Bytes of all bodies that wait for their tasks; further ones get 503 until some are done. */
  waitingPayloadBytes: number;
  /** Bytes of bodies that one build takes together; at least one task, however large. */
  batchPayloadBytes: number;
  /** Objects and lists in each other in a document. */
  documentDepth: number;
  /** UTF-16 units of JSON that a task's details may have; of longer ones the long values are left out. */
  taskDetailsLength: number;
  /** Pairs that one swap may exchange: each of their indexes is written anew. */
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
  documentsPerFetch: 1000,
  waitingTasks: 1000,
  finishedTasks: 10_000,
  inlinePayloadBytes: 64 * 1024,
  waitingPayloadBytes: 1024 * 1024 * 1024,
  batchPayloadBytes: 128 * 1024 * 1024,
  documentDepth: 100,
  taskDetailsLength: 8192,
  swapsPerRequest: 100,
  cachedAnswerBytes: 32 * 1024 * 1024,
};
