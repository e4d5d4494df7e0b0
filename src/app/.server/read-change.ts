import type { Context } from "hono";
import { answerAsJson, BODY_FAILURE } from "#platform/http/failure.ts";
import { BodyError, readText } from "#platform/http/read-body.ts";

/** An operator's page sends little data and sends it immediately. */
const BODY_MS = 10_000;

/**
 * The body of a change, parsed; undefined when it is not JSON.
 * @returns the error response when it could not be read
 */
export async function readChange(context: Context, maxBytes: number): Promise<{ json: unknown } | Response> {
  try {
    const text = await readText(context.req.raw, { maxBytes, timeoutMs: BODY_MS });
    return { json: parse(text) };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return answerAsJson(context, { reason: BODY_FAILURE[error.problem], message: error.message });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
