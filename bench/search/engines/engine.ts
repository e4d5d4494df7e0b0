import type { CorpusRecord } from "../corpus.ts";

export interface OpenedEngine {
  /** Addresses, best first. */
  search(q: string, limit: number): string[];
  /** Bytes of the index as it would be stored; null if the engine cannot say. */
  size(): number | null;
  /** The stored form of the index, for engines that open it again with `reopen`. */
  stored?(): Uint8Array;
}

export interface Engine {
  name: string;
  open(records: CorpusRecord[]): OpenedEngine;
  reopen?(stored: Uint8Array): OpenedEngine;
}
