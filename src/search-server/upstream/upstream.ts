/**
 * One request at a time to the Meilisearch server behind this one, with a name for everything that may go
 * wrong.
 */
import { BodyError, readAnswerText } from "#platform/http/read-body.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";
import { ApiError } from "../protocol/errors.ts";

export interface UpstreamOptions {
  /** The server's address: `https://search.example.com`. */
  url: string;
  /** Its search key; sent with every request, never to a browser. */
  key?: string;
  /** Milliseconds for one answer. Default 3000. */
  timeoutMs?: number;
  /** Failures in a row after which it is left alone. Default 5. */
  failures?: number;
  /** Milliseconds for which it is left alone. Default 5000. */
  coolDownMs?: number;
  /** Requests at the same time; more are refused. Default 128. */
  maxInFlight?: number;
  /** Bytes of one answer. Default 16 MiB. */
  maxAnswerBytes?: number;
  now?: () => number;
  fetch?: typeof fetch;
}

export interface UpstreamRequest {
  method: "GET" | "POST";
  /** Path and query. */
  path: string;
  body?: string;
}

export interface UpstreamAnswer {
  status: number;
  json: unknown;
  text: string;
}

export interface Upstream {
  /** @throws ApiError `search_unavailable`, `remote_timeout`, `remote_could_not_send_request`, `remote_bad_response` */
  send: (request: UpstreamRequest) => Promise<UpstreamAnswer>;
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const {
    timeoutMs = 3000,
    failures = 5,
    coolDownMs = 5000,
    maxInFlight = 128,
    maxAnswerBytes = 16 * 1024 * 1024,
  } = options;
  const now = options.now ?? (() => performance.now());
  const breaker = createCircuitBreaker({ failures, coolDownMs, now });
  let inFlight = 0;

  async function exchange(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    let status: number;
    let text: string;
    try {
      // The built-in fetch keeps a pool of connections per origin.
      const response = await (options.fetch ?? fetch)(addressOf(options.url, request.path), {
        method: request.method,
        headers: headersFor(request, options.key),
        ...(request.body !== undefined && { body: request.body }),
        redirect: "error",
        signal,
      });
      status = response.status;
      text = await readAnswerText(response, { maxBytes: maxAnswerBytes, signal });
    } catch (cause) {
      throw toApiError(cause, signal, timeoutMs);
    }
    return checkAnswer(status, text);
  }

  return {
    async send(request) {
      refuseIfOpen(breaker, coolDownMs);
      if (inFlight >= maxInFlight) {
        throw new ApiError(
          "too_many_search_requests",
          "The search server has too many requests. Try again in a moment.",
        );
      }
      inFlight++;
      try {
        const answer = await exchange(request);
        breaker.succeeded();
        return answer;
      } catch (error) {
        breaker.failed();
        throw error;
      } finally {
        inFlight--;
      }
    },
  };
}

/** A server may be below a path: `https://example.com/search`. */
export function addressOf(server: string, path: string): URL {
  return new URL(server.replace(/\/+$/, "") + path);
}

function refuseIfOpen(breaker: CircuitBreaker, coolDownMs: number): void {
  const wait = Math.min(breaker.waitMs(), coolDownMs);
  if (wait <= 0) return;
  throw new ApiError(
    "search_unavailable",
    `The search server is not responding. Try again in ${Math.ceil(wait / 1000)} s.`,
  );
}

function headersFor({ body }: UpstreamRequest, key: string | undefined): { [name: string]: string } {
  return {
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(key && { authorization: `Bearer ${key}` }),
  };
}

function toApiError(cause: unknown, signal: AbortSignal, timeoutMs: number): ApiError {
  if (signal.aborted) {
    return new ApiError("remote_timeout", `The search server did not respond within ${timeoutMs} ms.`, {
      cause,
    });
  }
  if (cause instanceof BodyError && cause.problem === "too large") {
    return new ApiError(
      "remote_bad_response",
      `The search server's response is too long: more than ${cause.maxBytes} bytes.`,
      {
        cause,
      },
    );
  }
  return new ApiError("remote_could_not_send_request", "The search server cannot be reached.", { cause });
}

/** Only JSON passes; a failing server or a refused key is this server's failure, not the reader's. */
function checkAnswer(status: number, text: string): UpstreamAnswer {
  const json = parse(text);
  if (status === 401 || status === 403) {
    throw new ApiError(
      "remote_bad_response",
      "The search server rejected this site's key (MEILISEARCH_KEY).",
    );
  }
  if (status >= 500 || status < 200 || (status >= 300 && status < 400)) {
    throw new ApiError("remote_bad_response", `The search server failed with status ${status}.`);
  }
  if (json === undefined) {
    throw new ApiError(
      "remote_bad_response",
      "The search server's response is not JSON. Check MEILISEARCH_URL.",
    );
  }
  return { status, json, text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
