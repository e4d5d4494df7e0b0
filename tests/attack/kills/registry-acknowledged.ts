/** What the process that is killed tells the one that looks. */
export type Acknowledged =
  | { kind: "blob"; digest: string }
  /** The tag has this number, or none any more. */
  | { kind: "tag" | "removed"; tag: string; number: number };

/** Of each writer. */
export const TAGS_OF_EACH = 5;
/** Every so many numbers, the tag is removed again. */
export const REMOVED_EACH = 7;
