/**
 * What the database keeps, by kind, and the part of `maxBytes` that each kind has for itself: however much of one kind
 * arrives, it never takes the room that another one uses of its own part. What a reader typed is small and cannot be
 * replaced; a recording is large.
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

/** What a row takes besides its texts. */
const ROW_BYTES = 300;

/** About as many bytes as a row takes, in memory and on the disk. */
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
