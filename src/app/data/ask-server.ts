/** Requests to `/auth/…` and `/oauth/…`. Their answers are described in src/accounts/README.md. */
import type { AskedWork } from "#platform/text/solve-work.ts";
import { asSentence } from "./as-sentence.ts";
import { sendRequest } from "./send.ts";

/** A refusal in the server's words, or a server that does not answer. */
export class Refusal extends Error {
  override name = "Refusal";
  /** One of the API's codes; `unreachable` when no answer came, `unknown` when the answer was not the server's own. */
  readonly code: string;
  /** The form's invalid field, if any. */
  readonly field: string | undefined;
  /** There are too many requests: solving this work admits this one. */
  readonly work: AskedWork | undefined;

  constructor(code: string, message: string, field?: string, work?: AskedWork) {
    super(message);
    this.code = code;
    this.field = field;
    this.work = work;
  }
}

/** @throws Refusal */
export function readAnswer<T>(path: string): Promise<T> {
  return ask<T>(path, {});
}

/** @throws Refusal */
export function sendForm<T>(path: string, body: object, headers: object = {}): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function ask<T>(path: string, init: RequestInit): Promise<T> {
  const asked = sendRequest(path, {
    ...init,
    cache: "no-store",
    headers: { Accept: "application/json", ...init.headers },
  });
  return readResponse<T>(asked);
}

/** @throws Refusal */
export async function readResponse<T>(asked: Promise<Response>): Promise<T> {
  const response = await asked.catch(() => {
    throw new Refusal(
      "unreachable",
      "The server does not respond. Check that it is running and that you are online.",
    );
  });
  const body: unknown = await response.json().catch(() => undefined);
  // The shapes are the server's own.
  if (response.ok && typeof body === "object" && body !== null) return body as T;
  throw refusalOf(response, body);
}

function refusalOf(response: Response, body: unknown): Refusal {
  const { code, message, field, work } = (typeof body === "object" && body !== null ? body : {}) as {
    [name: string]: unknown;
  };
  const wait = Number(response.headers.get("retry-after"));
  if (response.status === 429) {
    const text = `Too many attempts. Try again ${wait > 0 ? describeWait(wait) : "in a few minutes"}.`;
    return new Refusal("resource_exhausted", text, undefined, isWork(work) ? work : undefined);
  }
  return new Refusal(
    typeof code === "string" ? code : "unknown",
    typeof message === "string" && message !== ""
      ? asSentence(message)
      : `The server answered with status ${response.status}.`,
    typeof field === "string" ? field : undefined,
  );
}

/** @param seconds at least one */
function describeWait(seconds: number): string {
  const [size, unit] = seconds <= 120 ? [1, "second"] : seconds <= 7_200 ? [60, "minute"] : [3_600, "hour"];
  const count = Math.ceil(seconds / size);
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

function isWork(work: unknown): work is AskedWork {
  if (typeof work !== "object" || work === null || !("challenge" in work) || !("bits" in work)) return false;
  return typeof work.challenge === "string" && typeof work.bits === "number";
}

/** Describes an error that was thrown on a page. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
