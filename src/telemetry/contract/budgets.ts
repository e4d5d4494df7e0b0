/**
 * The kinds of stored data, and the part of `maxBytes` that is reserved for each kind: however much of one kind arrives, it
 * never takes the space that another kind uses of its own part. A reader's text is small and cannot be replaced; a recording
 * is large.
 */
export const KEPT_KINDS = ["recordings", "events", "errors", "feedback"] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

const PARTS: { readonly [kind in KeptKind]: number } = {
  recordings: 0.6,
  events: 0.25,
  errors: 0.1,
  feedback: 0.05,
};

/** In bytes. */
export const budgetOf = (kind: KeptKind, maxBytes: number): number => PARTS[kind] * maxBytes;

/** Bytes of a row in addition to its texts. */
const ROW_BYTES = 300;

/** Roughly the bytes of a row, in memory and on the disk. */
export function sizeOf(row: object): number {
  let bytes = ROW_BYTES;
  for (const value of Object.values(row) as unknown[]) {
    if (typeof value === "string") bytes += value.length;
    else if (value instanceof Uint8Array) bytes += value.byteLength;
    // The frames of an error, which are not mapped yet.
    else if (Array.isArray(value)) bytes += sizeOfAll(value as object[]);
  }
  return bytes;
}

export const sizeOfAll = (rows: readonly object[]): number => rows.reduce((sum, row) => sum + sizeOf(row), 0);
