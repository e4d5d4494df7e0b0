import type { CorpusRecord } from "../corpus.ts";

export interface OpenedEngine {
  /** Addresses, best first. */
  search(q: string, limit: number): string[];
  /** Bytes of the index as it would be stored; null if the engine cannot say. */
  size(): number | null;
}

export interface Engine {
  name: string;
  open(records: CorpusRecord[]): OpenedEngine;
}
