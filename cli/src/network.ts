/**
 * `fetch` for the CLI: it uses the proxy if one is set, follows no redirects, limits the size and the time of an
 * answer, and throws errors that say what to do.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "./errors.ts";
import { networkError } from "./network-errors.ts";
import { cleanText } from "./text.ts";

const TIMEOUT_MS = 30_000;
/** No answer of the API is larger; pages have at most 100 objects. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A broken connection is retried: create calls carry an `Idempotency-Key`, and all other calls may be repeated. */
const MAX_TRIES = 3;
/** An answer that asks for a longer wait is returned to the caller. */
const MAX_PAUSE_SECONDS = 10;
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

type Fetch = typeof globalThis.fetch;

interface FetchOptions {
  timeoutMs?: number;
  maxBytes?: number;
  /** Called with the headers of each answer. */
  onHeaders?: (headers: Headers) => void;
  /** Whether to retry after an answer of 429 or 503 that says when. */
  repeatsRefused?: boolean;
}

/** A stream that is silent for longer is broken: the server sends something every 15 seconds. */
const SILENT_MS = 60_000;

/** Answers are JSON and read whole; streams are passed on as they arrive. @throws CliError */
export function createFetch(env: NodeJS.ProcessEnv, limits: FetchOptions = {}): Fetch {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_ANSWER_BYTES, onHeaders, repeatsRefused = false } = limits;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const ask = await openFetch(env);
    for (let left = MAX_TRIES; ; left--) {
      const watch = watchTime(timeoutMs);
      const signal = init?.signal ? AbortSignal.any([watch.signal, init.signal]) : watch.signal;
      try {
        const answer = await ask(url, { ...init, redirect: "manual", signal });
        refuseRedirect(answer, url);
        onHeaders?.(answer.headers);
        if (isStream(answer)) return watch.onStream(answer);
        const pauseSeconds = repeatsRefused && left > 1 ? pauseOf(answer) : 0;
        if (pauseSeconds > 0) {
          await answer.body?.cancel();
          await sleep(1000 * pauseSeconds, undefined, init?.signal ? { signal: init.signal } : {});
          continue;
        }
        refuseOtherThanJson(answer, url);
        return new Response(await readAtMost(answer, maxBytes, url), {
          status: answer.status,
          headers: answer.headers,
        });
      } catch (error) {
        if (error instanceof CliError) throw error;
        if (watch.signal.aborted)
          throw new CliError(`${url.origin} did not respond within ${timeoutMs / 1000} s`);
        if (init?.signal?.aborted) throw error;
        if (left === 1 || !isBroken(error)) throw await networkError(error, url);
      } finally {
        watch.endAnswer();
      }
    }
  };
}

/** @returns the seconds to wait before a refused request is retried; 0 if it is not */
function pauseOf({ status, headers }: Response): number {
  if (status !== 429 && status !== 503) return 0;
  const seconds = Number(headers.get("retry-after") ?? "");
  return seconds > 0 && seconds <= MAX_PAUSE_SECONDS ? seconds : 0;
}

const isStream = (answer: Response): boolean =>
  answer.ok && /^application\/connect\+json\b/i.test(answer.headers.get("content-type") ?? "");

interface TimeWatch {
  signal: AbortSignal;
  /** Called when the answer is complete. */
  endAnswer: () => void;
  onStream: (answer: Response) => Response;
}

/** Aborts an answer that takes too long, and a stream that falls silent. */
function watchTime(timeoutMs: number): TimeWatch {
  const deadline = new AbortController();
  const late = () => deadline.abort();
  let timer = setTimeout(late, timeoutMs);
  let isStreaming = false;
  const endAnswer = () => {
    if (!isStreaming) clearTimeout(timer);
  };
  return {
    signal: deadline.signal,
    endAnswer,
    onStream(answer) {
      isStreaming = true;
      const again = () => {
        clearTimeout(timer);
        timer = setTimeout(late, SILENT_MS);
        timer.unref();
      };
      again();
      const watched = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          again();
          controller.enqueue(chunk);
        },
        flush: () => clearTimeout(timer),
      });
      return new Response(answer.body?.pipeThrough(watched) ?? null, {
        status: answer.status,
        headers: answer.headers,
      });
    },
  };
}

/** undici is half a megabyte, and Node.js 20 cannot use a proxy without it. */
export async function openFetch(env: NodeJS.ProcessEnv): Promise<Fetch> {
  if (!PROXY_VARIABLES.some((name) => env[name])) return globalThis.fetch;
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  let dispatcher: InstanceType<typeof EnvHttpProxyAgent>;
  try {
    dispatcher = new EnvHttpProxyAgent();
  } catch (cause) {
    // The message omits the value, which may contain a password.
    throw new CliError(
      "HTTP_PROXY or HTTPS_PROXY is not a valid address: write http://proxy.acme.example:3128",
      undefined,
      cause,
    );
  }
  // undici and Node.js declare the same interface.
  return ((url: URL, init: object) => fetch(url, { ...init, dispatcher })) as unknown as Fetch;
}

/** Whether the connection ended before an answer. */
function isBroken(error: unknown): boolean {
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown };
  return code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
}

/** A token is for one origin, and never follows a redirect. */
function refuseRedirect(answer: Response, url: URL): void {
  if (answer.status < 300 || answer.status >= 400) return;
  const location = answer.headers.get("location") ?? "";
  if (!URL.canParse(location, url)) throw notMillrace(answer, url);
  const target = new URL(location, url);
  throw new CliError(
    target.origin === url.origin
      ? `${url.origin} is not a Millrace server: ${url.pathname} redirects to ${cleanText(target.pathname)}`
      : `${url.origin} redirects to ${target.origin}: if that is your Millrace server, pass --url ${target.origin}`,
  );
}

function refuseOtherThanJson(answer: Response, url: URL): void {
  if (/^application\/json\b/i.test(answer.headers.get("content-type") ?? "")) return;
  if (answer.status === 502 || answer.status === 503 || answer.status === 504)
    throw new CliError(
      `${url.origin} is unreachable: the proxy in front of it responded with ${answer.status}`,
    );
  if (answer.status === 407)
    throw new CliError("the proxy requires a username and password: set them in HTTPS_PROXY");
  throw notMillrace(answer, url);
}

function notMillrace(answer: Response, url: URL): CliError {
  const type = cleanText(answer.headers.get("content-type") ?? "").slice(0, 60) || "no content type";
  return new CliError(
    `${url.origin} is not a Millrace server, or an older one without this part: ${url.pathname} responded with ${answer.status} and ${type}`,
  );
}

async function readAtMost(
  answer: Response,
  maxBytes: number,
  url: URL,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new CliError(`${url.origin} sent more than ${maxBytes} bytes in one response`);
    chunks.push(chunk);
  }
  // A Response of one of these statuses must not have a body.
  return answer.status === 204 || answer.status === 205 ? null : Buffer.concat(chunks);
}
