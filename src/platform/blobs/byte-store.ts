import { randomBytes } from "node:crypto";

/**
 * Storage for bytes: a folder, or an S3 bucket. It does not know digests or records. Each upload has its own place, which is
 * never reused, so that removing one never removes the bytes of another.
 */
export interface ByteStore {
  create(): Promise<ByteWriter>;
  /** @throws MissingBytesError */
  open(place: string): Promise<ByteReader>;
  /** Missing bytes are not an error. */
  remove(place: string): Promise<void>;
  /** Removes writes that began before this process and were never finished. */
  removeUnfinished(): Promise<void>;
  /**
   * Removes unfinished writes of any process that began before the time (milliseconds since 1970); others may be writing
   * meanwhile. Absent: leftovers of a killed process are removed when the next process starts.
   */
  removeAbandoned?(before: number): Promise<void>;
  /** Existing places that begin with one of `SHARDS`, in portions, to find places that no record names. */
  places(shard: string): AsyncIterable<readonly string[]>;
  /** Time of writing, in milliseconds since 1970; null: nothing is stored there. */
  writtenAt(place: string): Promise<number | null>;
  /** The current time in milliseconds since 1970, by the clock of `writtenAt`; absent: this process cannot read that clock. */
  now?(): number;
  /** An address at which anyone can fetch the bytes for a while; absent: the store is not reachable by others. */
  signedAddress?(place: string, options: { seconds: number }): Promise<string>;
  close(): Promise<void>;
}

export interface ByteWriter {
  readonly place: string;
  /** Chunks in order; one call at a time. Their memory can be reused when it resolves. */
  write(chunks: readonly Uint8Array[]): Promise<void>;
  /** Resolves when the bytes survive `kill -9` and a power cut. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

export interface ByteReader {
  readonly size: number;
  /** Changes when the bytes were changed; null if that cannot be detected. */
  readonly stamp: string | null;
  /** @param end exclusive */
  chunks(start: number, end: number): AsyncIterable<Buffer>;
  /** Returns the memory of a chunk that is no longer needed, for reuse. Absent: the store does not reuse memory. */
  giveBack?(chunk: Uint8Array): void;
  close(): Promise<void>;
}

/** The first two characters of places: `00` to `ff`. */
export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, "0"),
);

/** A name that was never used before, and reveals nothing about its content. */
export const newPlace = (): string => randomBytes(16).toString("hex");

/** No bytes are stored at this place. */
export class MissingBytesError extends Error {}

/** The store does not respond, or refuses everything. It may work again in a moment. */
export class StoreAwayError extends Error {}
