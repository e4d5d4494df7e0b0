/** Messages of the process that is killed to the process that checks. */
export type Acknowledged =
  | { kind: "blob"; digest: string }
  /** The tag has this number, or was removed after it. */
  | { kind: "tag" | "removed"; tag: string; number: number };

/** Tags per writer. */
export const TAGS_OF_EACH = 5;
/** Every so many numbers, the tag is removed again. */
export const REMOVED_EACH = 7;
