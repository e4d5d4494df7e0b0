import { ApiError } from "../protocol/errors.ts";
import { MAX_JSON_DEPTH } from "../protocol/limits.ts";

export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") throw new ApiError("missing_payload", "A json payload is missing.");
  if (isTooDeep(text)) {
    throw new ApiError(
      "malformed_payload",
      `The json payload provided is malformed. It is nested more than ${MAX_JSON_DEPTH} levels deep.`,
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
 * Whether arrays and objects are nested deeper than anyone sends them. The parser takes any depth, but code
 * that walks through the value does not.
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

/** The closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    if (at < 0) return json.length;
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
