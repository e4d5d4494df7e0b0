/**
 * What is taken out of a line that was logged in spite of all care, just before it is written:
 *
 *   fields by their name    authorization, cookie, password, token, …    pino's own redaction, two levels deep
 *   in any text             Bearer …, Basic …; the query of an address; user:password@host
 *   in any text             the process's own secrets, wherever they stand
 *
 * `"GET /x?q=a failed: Bearer abc"` becomes `"GET /x?[redacted] failed: Bearer [redacted]"`
 */

export const REDACTED = "[redacted]";

/** In lower case and as they are usually written. */
const SECRET_FIELDS = [
  "authorization",
  "Authorization",
  "proxy-authorization",
  "cookie",
  "Cookie",
  "set-cookie",
  "Set-Cookie",
  "password",
  "secret",
  "token",
  "apiKey",
  "api_key",
  "key",
  "headers",
  "query",
];

/** For pino's option `redact`. */
export const REDACTED_PATHS: readonly string[] = SECRET_FIELDS.flatMap((name) => {
  const path = `["${name}"]`;
  return [path, `*${path}`, `*.*${path}`];
});

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
