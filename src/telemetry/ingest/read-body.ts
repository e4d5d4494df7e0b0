import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BodyError, type BodyProblem, readBytes as readBodyBytes } from "#platform/http/read-body.ts";
import { Refusal, type RefusalReason } from "../contract/refusal.ts";

const inflate = promisify(gunzip);

/** Bodies from this site's pages are small; a phone with a bad connection gets a minute for one. */
const BODY_MS = 60_000;

const REASONS: { [problem in BodyProblem]: RefusalReason } = {
  "too large": "too large",
  "too slow": "too slow",
  "broken off": "not readable",
};

/** The body's bytes. @throws Refusal before more than `limit` bytes were read. */
export function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return readBodyBytes(request, { maxBytes: limit, timeoutMs: BODY_MS }).catch((error: unknown) => {
    if (!(error instanceof BodyError)) throw error;
    throw new Refusal(REASONS[error.problem], error.message);
  });
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Inflates a body that is gzip by its first bytes (the SDKs send no `Content-Encoding`), off this thread.
 * @throws Refusal when it is damaged or would be larger than `limit` bytes.
 */
export async function inflateIfGzip(
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isGzip(bytes)) {
    if (bytes.byteLength > limit) throw tooLarge(limit);
    return bytes;
  }
  try {
    const { buffer, byteOffset, byteLength } = await inflate(bytes, { maxOutputLength: limit });
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit);
    throw new Refusal(
      "not readable",
      `The gzip body is damaged (${error instanceof Error ? error.message : error}).`,
    );
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(
      "not readable",
      `The body is not JSON (${error instanceof Error ? error.message : error}).`,
    );
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal("too large", `The body is larger than ${limit} bytes.`);
}
