/**
 * What is taken out of a line that was logged in spite of all care, just before it is written:
 *
 *   fields by their name    authorization, cookie, password, token, …
 *   in any text             Bearer …, Basic …; the query of an address; user:password@host
 *   in any text             the process's own secrets, wherever they stand
 *
 * `"GET /x?q=a failed: Bearer abc"` becomes `"GET /x?[redacted] failed: Bearer [redacted]"`
 */

export const REDACTED = "[redacted]";

const SECRET_FIELDS = new Set(
  ["authorization", "proxy-authorization", "cookie", "set-cookie", "password", "secret", "token"].concat([
    "apikey",
    "api_key",
    "key",
    "headers",
    "query",
  ]),
);
/** Objects inside one another that are looked into; what is deeper is left out. */
const MAX_DEPTH = 4;

/**
 * A copy without the values of fields that are secret by their name, in any case. By hand: pino's own redaction costs 60 µs
 * a line with as many names, this one less than one.
 */
export function redactFields(fields: object, depth = 0): object {
  const clean: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(fields))
    clean[name] = SECRET_FIELDS.has(name.toLowerCase()) ? REDACTED : redactValue(value, depth + 1);
  return clean;
}

function redactValue(value: unknown, depth: number): unknown {
  // An error is made a plain object by its serializer.
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (depth >= MAX_DEPTH) return "[deeper]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return redactFields(value, depth);
}

/** Shorter ones stand in ordinary words. */
const MIN_SECRET_LENGTH = 8;

const CREDENTIALS = /\b(bearer|basic)( +)[\w.~+/=-]+/gi;
const QUERY = /(?<=[^\s"])\?[^\s"\\#]+/g;
const USER_INFO = /(:\/\/)[^\s"\\/@]{1,300}@/g;

/** @param secrets the process's own: they are nowhere written as they are */
export function createLineRedaction(secrets: readonly string[]): (line: string) => string {
  // In a line of JSON.
  const written = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (line) => {
    let text = line;
    for (const secret of written) if (text.includes(secret)) text = text.replaceAll(secret, REDACTED);
    // Most lines have none of it.
    if (/bearer|basic/i.test(text)) text = text.replace(CREDENTIALS, `$1$2${REDACTED}`);
    if (text.includes("?")) text = text.replace(QUERY, `?${REDACTED}`);
    if (text.includes("@")) text = text.replace(USER_INFO, `$1${REDACTED}@`);
    return text;
  };
}
