import { promisify } from "node:util";
import { gunzipSync, gzip, gzipSync } from "node:zlib";
import type { Context } from "hono";
import { MAX_COMPRESSED_HERE_BYTES } from "../protocol/limits.ts";

const compress = promisify(gzip);

/** Below this, compressing an answer saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;
/** Measured on answers of 20 KB: as fast as level 1 (0.09 ms), 8 % smaller; higher levels cost twice as much. */
const GZIP_LEVEL = 3;

/** A search and its number of hits; one for each query with words. */
export interface AnsweredSearch {
  query: string;
  hits: number;
}

/**
 * An answer's JSON, in one form at a time: plain until it is first sent compressed, compressed from then on.
 * A kept answer that browsers request takes a seventh of its text; compressing happens at most once.
 */
export class Answer {
  /** Bytes of the JSON in UTF-8. */
  readonly byteLength: number;
  readonly searches: readonly AnsweredSearch[];
  /** As text or in UTF-8; null once it is compressed. */
  #plain: string | Uint8Array<ArrayBuffer> | null;
  #compressed: Uint8Array<ArrayBuffer> | null = null;
  /** Set while another thread compresses it. */
  #compressing: Promise<Uint8Array<ArrayBuffer>> | null = null;

  /** @param written the JSON, if it has been made already */
  constructor(json: unknown, written?: Uint8Array<ArrayBuffer>) {
    this.searches = searchesOf(json);
    this.#plain = written ?? JSON.stringify(json);
    this.byteLength = Buffer.byteLength(this.#plain);
  }

  /** Bytes that it currently takes. */
  get keptBytes(): number {
    return this.#compressed?.byteLength ?? this.byteLength;
  }

  /**
   * Compressed here and in one go: a stream per answer, as a middleware makes it, costs several times the
   * search. Only large ones are compressed by another thread. Uncompressed ones are sent as text, which saves
   * a copy.
   */
  send(context: Context): Response | Promise<Response> {
    const isSmall = this.byteLength < MIN_COMPRESSED_BYTES;
    if (isSmall || !acceptsGzip(context.req.header("accept-encoding"))) {
      return context.body(this.#readPlain(), 200, {
        "Content-Type": "application/json",
        "Content-Length": String(this.byteLength),
        Vary: "Accept-Encoding",
      });
    }
    const content = this.#gzipped();
    return content instanceof Promise
      ? content.then((bytes) => sendCompressed(context, bytes))
      : sendCompressed(context, content);
  }

  #readPlain(): string | Uint8Array<ArrayBuffer> {
    return this.#plain ?? new Uint8Array(gunzipSync(this.#compressed!));
  }

  #gzipped(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
    if (this.#compressed) return this.#compressed;
    const [plain, options] = [this.#readPlain(), { level: GZIP_LEVEL }];
    if (this.byteLength <= MAX_COMPRESSED_HERE_BYTES) return this.#keepCompressed(gzipSync(plain, options));
    this.#compressing ??= compress(plain, options).then((bytes) => this.#keepCompressed(bytes));
    return this.#compressing;
  }

  #keepCompressed(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#compressed = new Uint8Array(bytes);
    this.#plain = null;
    return this.#compressed;
  }
}

function sendCompressed(context: Context, content: Uint8Array<ArrayBuffer>): Response {
  return context.body(content, 200, {
    "Content-Type": "application/json",
    "Content-Encoding": "gzip",
    Vary: "Accept-Encoding",
  });
}

function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(header);
}

/** The searches in an answer of one or several; two identical queries in a body count as one. */
export function searchesOf(json: unknown): AnsweredSearch[] {
  const { results = [json] } = json as { results?: unknown[] };
  const searches = new Map<string, number>();
  for (const result of results) {
    // Both of Meilisearch's names for the number of hits; a federated answer has no query of its own.
    const { query, estimatedTotalHits, totalHits } = result as { [name: string]: unknown };
    const hits = Number(totalHits ?? estimatedTotalHits ?? 0);
    if (typeof query === "string" && query.trim() !== "")
      searches.set(query, Math.max(hits, searches.get(query) ?? 0));
  }
  return [...searches].map(([query, hits]) => ({ query, hits }));
}
