import { MAX_WORK } from "./limits.ts";

/**
 * The work budget of all searches of one request. One unit is about the cost of reading a character when a text is
 * highlighted: documents, postings and values count by their cost relative to that.
 */
export interface Work {
  /** Units done so far. */
  readonly done: number;
  add(units: number): void;
  /** More was done than is allowed, or it is too late: nothing more may be started. */
  isOver(): boolean;
  /** Called with each part of the answer; false = the answer has no room for it. Absent: it has room for everything. */
  hasRoomFor?(part: object): boolean;
}

export interface WorkOptions {
  /** Units. Default: `MAX_WORK`. */
  most?: number;
  isLate?: () => boolean;
  hasRoomFor?: (part: object) => boolean;
}

export function createWork({ most = MAX_WORK, isLate, hasRoomFor }: WorkOptions = {}): Work {
  let done = 0;
  return {
    get done() {
      return done;
    },
    add(units) {
      done += units;
    },
    isOver: () => done > most || (isLate !== undefined && isLate()),
    ...(hasRoomFor && { hasRoomFor }),
  };
}

/** Units of work, by cost relative to a character. */
export const WorkOf = {
  /** A document that is decoded and picked from. */
  document: 100,
  /** A word of a section that is read for ranking. */
  word: 1,
  /** A section that is added up, or checked by a condition. */
  unit: 1,
  /** A value of a document that a facet counts. */
  value: 1,
  /** A distinct value that is put in order or compared with a text. */
  orderedValue: 10,
  /** A document in a set that a filter makes: one byte. */
  member: 1 / 64,
} as const;
