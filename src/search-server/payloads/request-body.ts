import type { Context } from "hono";
import { readText as readBodyText } from "#platform/http/read-body.ts";
import { ApiError, refuseBody } from "../protocol/errors.ts";
import { BODY_MS } from "../protocol/limits.ts";
import { parseJsonBody } from "./parse-json-body.ts";

/** The body as text; more than `limit` bytes are refused before it is read to the end. @throws ApiError */
export function readText(context: Context, limit: number): Promise<string> {
  return readBodyText(context.req.raw, { maxBytes: limit, timeoutMs: BODY_MS }).catch(refuseBody);
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

export async function readJson(context: Context, limit: number): Promise<unknown> {
  requireJson(context);
  return parseJsonBody(await readText(context, limit));
}
