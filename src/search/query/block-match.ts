/** A place in a text where words of the query stand. */
export interface Occurrence {
  /** In words from the block's beginning. */
  position: number;
  /** Words of the document that it covers. */
  length: number;
  /** Bits of the query words that it stands for. */
  mask: number;
  /** Inside of an identifier. Only known where the query has one. */
  isPart: boolean;
  weight: number;
  typos: number;
}

/** A block of a unit that has words of the query. */
export interface BlockMatch {
  /** Number of the block in the index. */
  block: number;
  field: number;
  attribute: number;
  document: number;
  /** Words in the block. */
  length: number;
  /** In order of position. */
  occurrences: Occurrence[];
  mask: number;
}
