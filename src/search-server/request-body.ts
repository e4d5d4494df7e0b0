import type { Context } from "hono";
import { ApiError } from "./errors.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

/** The body as text; what is longer than `limit` bytes is refused before it is read to the end. */
export async function readText(context: Context, limit: number): Promise<string> {
  const declared = context.req.header("content-length");
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
  // Node's HTTP parser ends the body at the declared length, so it needs no counting.
  if (declared !== undefined) return context.req.text();
  const stream = context.req.raw.body;
  if (!stream) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export function tooLarge(limit: number): ApiError {
  return new ApiError(
    "payload_too_large",
    `The provided payload reached the size limit. The maximum accepted payload size is ${showBytes(limit)}.`,
  );
}

function showBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;
}

/** @throws ApiError for a missing or wrong content type, as Meilisearch checks it before the body. */
export function requireJson(context: Context): void {
  const type = context.req.header("content-type");
  if (type === undefined) {
    throw new ApiError(
      "missing_content_type",
      "A Content-Type header is missing. Accepted values for the Content-Type header are: `application/json`",
    );
  }
  if (type === "application/json" || /^application\/json\s*(?:;|$)/i.test(type)) return;
  throw new ApiError(
    "invalid_content_type",
    `The Content-Type \`${type}\` is invalid. Accepted values for the Content-Type header are: \`application/json\``,
  );
}

export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") throw new ApiError("missing_payload", "A json payload is missing.");
  if (isTooDeep(text)) {
    throw new ApiError(
      "malformed_payload",
      `The json payload provided is malformed. It has more than ${MAX_JSON_DEPTH} arrays and objects inside of each other.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("malformed_payload", `The json payload provided is malformed. \`${reason}\`.`);
  }
}

/**
 * Whether arrays and objects stand deeper inside of each other than anyone sends them. The parser takes any depth, but
 * what walks through the value does not.
 */
export function isTooDeep(json: string): boolean {
  if (json.length <= 2 * MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (unit === BRACKET || unit === BRACE) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (unit === BRACKET + 2 || unit === BRACE + 2) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [34, 92, 91, 123];

/** Where the string that begins at `start` has its closing quote; the end of the text if it has none. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    if (at < 0) return json.length;
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

export async function readJson(context: Context, limit: number): Promise<unknown> {
  requireJson(context);
  return parseJsonBody(await readText(context, limit));
}
