/**
 * Reads a client's body or a server's answer. Never more bytes than a limit, never for longer than a time limit, and not a byte
 * after the reader has stopped.
 *
 *   Content-Length above the limit ──► "too large", and nothing is read
 *   the byte after the limit ────────► "too large"
 *   the time is over ────────────────► "too slow"
 *   fewer bytes than Content-Length,
 *   or the connection ends ──────────► "broken off"
 *   the signal ──────────────────────► its reason
 *
 * However it ends, the source is notified that reading has stopped, and the request's holder is charged.
 */

let tellReceived: (bytes: number) => void = () => {};

/** @param tell receives the number of all bytes from now on: a server charges them. Browsers, which also use this code, do not */
export const onReceived = (tell: (bytes: number) => void): void => void (tellReceived = tell);

/** The part of a `Request` or `Response` that is read here. */
export interface BodySource {
  headers: { get: (name: string) => string | null };
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
  /** Faster than chunks when the length is known. */
  arrayBuffer?: () => Promise<ArrayBuffer>;
}

export interface BodyLimits {
  maxBytes: number;
  /** For the whole body. Default: while the connection lives; the server ends silent or too slow ones. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

interface ChunkLimits extends BodyLimits {
  /** The consumer of the chunks charges them. */
  isChargedElsewhere?: boolean;
}

export type BodyProblem = "too large" | "too slow" | "broken off";

/** Each protocol turns it into its own answer, in one place. */
export class BodyError extends Error {
  readonly problem: BodyProblem;
  readonly maxBytes: number;

  constructor(problem: BodyProblem, { maxBytes, timeoutMs }: BodyLimits, options?: ErrorOptions) {
    const said: { [problem in BodyProblem]: string } = {
      "too large": `The body is larger than ${maxBytes} bytes.`,
      "too slow": `The body did not arrive within ${timeoutMs ?? 0} ms.`,
      "broken off": "The body ended before it was complete.",
    };
    super(said[problem], options);
    this.name = "BodyError";
    this.problem = problem;
    this.maxBytes = maxBytes;
  }
}

/** The number in `Content-Length`; null when the body comes in chunks or the number is invalid. */
export function declaredBytes({ headers }: Pick<BodySource, "headers">): number | null {
  const declared = headers.get("content-length");
  return declared !== null && /^\d{1,15}$/.test(declared) ? Number(declared) : null;
}

/**
 * The body as it arrives; nothing is read ahead of its consumer.
 * @throws BodyError, or the signal's reason
 */
export async function* readChunks(source: BodySource, limits: ChunkLimits): AsyncGenerator<Uint8Array> {
  const declared = declaredBytes(source);
  if (declared !== null && declared > limits.maxBytes) throw new BodyError("too large", limits);
  let bytes = 0;
  const watch = watchTime(limits);
  const chunks = source.body?.[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = chunks && (await watch.race(chunks.next()));
      if (!next || next.done) break;
      bytes += next.value.byteLength;
      if (bytes > limits.maxBytes) throw new BodyError("too large", limits);
      yield next.value;
    }
    if (declared !== null && bytes < declared) throw new BodyError("broken off", limits);
  } finally {
    watch.end();
    if (!limits.isChargedElsewhere) tellReceived(bytes);
    // Not awaited: a source that hangs would hang here too.
    void chunks?.return?.().catch(() => {});
  }
}

/** The whole body. @throws BodyError, or the signal's reason */
export async function readBytes(source: BodySource, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredBytes(source);
  if (declared !== null && source.arrayBuffer) return readDeclared(source, declared, limits);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(source, limits)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The same as text. Invalid UTF-8 becomes U+FFFD, and a byte order mark at the start is left out. */
export async function readText(source: BodySource, limits: BodyLimits): Promise<string> {
  return new TextDecoder().decode(await readBytes(source, limits));
}

/**
 * A server's answer to `fetch`, as text. Its declared length is ignored, because it counts compressed bytes;
 * here the decompressed bytes count.
 */
export function readAnswerText({ body }: Pick<BodySource, "body">, limits: BodyLimits): Promise<string> {
  return readText({ headers: { get: () => null }, body }, limits);
}

/** Node's HTTP parser ends a body at its declared length, so bytes need not be counted on the way. */
async function readDeclared(
  source: BodySource,
  declared: number,
  limits: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  if (declared > limits.maxBytes) throw new BodyError("too large", limits);
  const watch = watchTime(limits);
  // If a body breaks off, the number of received bytes is unknown.
  let received = declared;
  try {
    const bytes = new Uint8Array(await watch.race(source.arrayBuffer!()));
    received = bytes.byteLength;
    if (bytes.byteLength > limits.maxBytes) throw new BodyError("too large", limits);
    if (bytes.byteLength < declared) throw new BodyError("broken off", limits);
    return bytes;
  } finally {
    tellReceived(received);
    watch.end();
  }
}

/** Reading fails here only because the body broke off, took too long, or its reader has stopped. */
function watchTime(limits: BodyLimits) {
  const { timeoutMs, signal } = limits;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over =
    timeoutMs === undefined && !signal
      ? null
      : new Promise<never>((_, reject) => {
          if (timeoutMs !== undefined)
            timer = setTimeout(() => reject(new BodyError("too slow", limits)), timeoutMs);
          onAbort = () => reject(signal?.reason as Error);
          if (signal?.aborted) onAbort();
          else signal?.addEventListener("abort", onAbort, { once: true });
        });
  over?.catch(() => {});
  const broken = (cause: unknown): never => {
    throw new BodyError("broken off", limits, { cause });
  };
  return {
    race<Value>(coming: Promise<Value>): Promise<Value> {
      const safe = coming.catch(broken);
      return over ? Promise.race([over, safe]) : safe;
    },
    end() {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener("abort", onAbort);
    },
  };
}
