/**
 * A blob that is being fetched, for clients that want it now: its bytes are passed on while they are stored. No reader holds it
 * up: a slow or late one gets the rest from the store, when it is there. The last bytes are held back until the whole blob is
 * verified.
 *
 *   upstream ─► write ─► store
 *                 └────► the last few MB ─► readers that keep up
 */
import type { Blob } from "#platform/blobs/blobs.ts";
import type { BlobReader } from "#platform/blobs/open-blob.ts";
import { LIVE_BYTES } from "../limits.ts";

export interface LiveBlob {
  /** For clients that ask for it now; `open` knows it. */
  readonly blob: Blob;
  /** Call it after the piece was stored. */
  write(piece: Buffer): void;
  /** No more bytes arrive; `stored` says whether they are right. */
  end(): void;
  open(): BlobReader;
}

export interface LiveBlobOptions {
  digest: string;
  size: number;
  /** Resolves when it is stored; rejects when it never will be. */
  stored: Promise<unknown>;
  /** Opens it in the store. */
  openStored: () => Promise<BlobReader>;
}

export function createLiveBlob({ digest, size, stored, openStored }: LiveBlobOptions): LiveBlob {
  const feed = createFeed();

  async function* read(start: number, end: number): AsyncIterable<Uint8Array> {
    let position = start;
    while (position < end) {
      const piece = (await feed.next(position))?.subarray(0, end - position);
      if (!piece) break;
      position += piece.length;
      if (position >= end) await stored;
      yield piece;
    }
    await stored;
    if (position >= end) return;
    const reader = await openStored();
    try {
      yield* reader.bytes(position, end);
    } finally {
      await reader.close();
    }
  }

  return {
    blob: { digest, size, storedBytes: size, encoding: "identity", place: null, content: null },
    write: feed.write,
    end: feed.end,
    open: () => ({
      size,
      bytes: (start = 0, end = size) => read(start, end),
      encodedBytes: () => read(0, size),
      giveBack() {},
      close: () => Promise.resolve(),
    }),
  };
}

/** The last bytes that arrived, for any number of readers. */
function createFeed() {
  let pieces: Buffer[] = [];
  /** Where the first piece begins, and the last ends. */
  let first = 0;
  let last = 0;
  let isOver = false;
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  /** @returns null when the bytes are only in the store, or will be */
  async function next(position: number): Promise<Buffer | null> {
    if (position >= last && !isOver) {
      await changed.promise;
      return next(position);
    }
    let at = first;
    for (const piece of position < first ? [] : pieces) {
      if (position < at + piece.length) return piece.subarray(position - at);
      at += piece.length;
    }
    return null;
  }

  return {
    next,
    write(piece: Buffer) {
      pieces.push(piece);
      last += piece.length;
      while (last - first > LIVE_BYTES) first += pieces.shift()!.length;
      tell();
    },
    end() {
      isOver = true;
      pieces = [];
      first = last;
      tell();
    },
  };
}
