import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Refusal } from "../refusal.ts";

const inflate = promisify(gunzip);

/** The body's bytes. @throws Refusal before more than `limit` bytes were read. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  // Node's HTTP parser ends a body at its declared length, so that needs no counting.
  if (declared > 0) return new Uint8Array(await request.arrayBuffer().catch(notReadable));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Inflates what is gzip by its first bytes (the SDKs send no `Content-Encoding`), off this thread.
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
      `The body is no JSON (${error instanceof Error ? error.message : error}).`,
    );
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal("too large", `The body is larger than ${limit} bytes.`);
}

function notReadable(error: unknown): never {
  throw new Refusal(
    "not readable",
    `The body ended early (${error instanceof Error ? error.message : error}).`,
  );
}
