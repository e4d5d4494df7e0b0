import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ServiceRequest } from "./services.ts";

const compress = promisify(gzip);

export const SEND_TIMEOUT_MS = 10_000;
/** A service may ask for a longer pause than the forwarder's own, within reason. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;
/** Answers to a wrong key, a wrong address or a full quota. An operator can fix these, so nothing is dropped in the meantime. */
const MENDABLE = new Set([401, 402, 403, 404, 408, 425, 429]);

export type SendOutcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string }
  | { kind: "later"; reason: string; afterMs: number | null };

export interface SendOptions {
  fetch: typeof fetch;
  timeoutMs: number;
  clock: () => number;
  /** Ends the request when the process stops. */
  signal: AbortSignal;
}

/** Sends one request with copies. Never rejects: copies that the service does not accept are sent later, or refused. */
export async function sendCopies(
  { url, headers, body: text, isCompressed }: ServiceRequest,
  options: SendOptions,
): Promise<SendOutcome> {
  try {
    // Compressed in Node's thread pool, because this thread has rows to write.
    const body = isCompressed ? await compress(text) : text;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    const answer = await options.fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
    const reason = `${answer.status} from ${new URL(url).host}`;
    // The connection can be reused only once the body has been read.
    await answer.arrayBuffer().catch(() => {});
    if (answer.ok) return { kind: "sent" };
    if (answer.status < 500 && answer.status >= 400 && !MENDABLE.has(answer.status))
      return { kind: "refused", reason };
    const afterMs = retryAfter(answer.headers.get("retry-after"), options.clock());
    return { kind: "later", reason, afterMs };
  } catch (error) {
    return { kind: "later", reason: describe(error, url), afterMs: null };
  }
}

/** Seconds or a date. @returns milliseconds from now, null when the header says nothing. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  if (!Number.isFinite(milliseconds)) return null;
  return Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER_MS);
}

function describe(error: unknown, url: string): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `${new URL(url).host} did not respond in time`;
  const cause = error instanceof Error ? error.cause : undefined;
  return `${new URL(url).host}: ${cause instanceof Error ? cause.message : String(error)}`;
}
