import { randomBytes } from "node:crypto";

/**
 * Where bytes are kept: a folder, or a bucket in S3. It knows no digests and no records. Each upload has a place of its
 * own, which is never used again, so that removing one never removes another's.
 */
export interface ByteStore {
  create(): Promise<ByteWriter>;
  /** @throws MissingBytesError */
  open(place: string): Promise<ByteReader>;
  /** Nothing there is no error. */
  remove(place: string): Promise<void>;
  /** Removes what was begun before this process and never finished. */
  removeUnfinished(): Promise<void>;
  /**
   * Removes what was begun before the time (milliseconds since 1970) and never finished, by whichever process; others may be
   * writing meanwhile. Absent: what a killed process has left is removed when the next one starts.
   */
  removeAbandoned?(before: number): Promise<void>;
  /** Places that exist and begin with one of `SHARDS`, for who looks for those that no record names, in portions. */
  places(shard: string): AsyncIterable<readonly string[]>;
  /** When it was written, in milliseconds since 1970; null: nothing is there. */
  writtenAt(place: string): Promise<number | null>;
  /** The time now, in milliseconds since 1970, by the clock that `writtenAt` goes by; absent: this process cannot read that one. */
  now?(): number;
  /** Where anybody can fetch the bytes for a while, if the store can be reached by others; absent: nowhere. */
  signedAddress?(place: string, options: { seconds: number }): Promise<string>;
  close(): Promise<void>;
}

export interface ByteWriter {
  readonly place: string;
  /** Chunks in their order; one call at a time. Nothing of them is needed when it resolves. */
  write(chunks: readonly Uint8Array[]): Promise<void>;
  /** Resolves when the bytes survive `kill -9` and a power cut. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

export interface ByteReader {
  readonly size: number;
  /** Changes when somebody has changed the bytes; null where that cannot be seen. */
  readonly stamp: string | null;
  /** @param end exclusive */
  chunks(start: number, end: number): AsyncIterable<Buffer>;
  /** Who no longer needs a chunk may say so: its memory is used again. Where it is absent, nothing is gained by that. */
  giveBack?(chunk: Uint8Array): void;
  close(): Promise<void>;
}

/** The first two characters of places: `00` to `ff`. */
export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, "0"),
);

/** A name that was never used before, and says nothing of what it names. */
export const newPlace = (): string => randomBytes(16).toString("hex");

/** Nothing is kept at this place. */
export class MissingBytesError extends Error {}

/** The store does not answer, or refuses everything. It may work again in a moment. */
export class StoreAwayError extends Error {}
