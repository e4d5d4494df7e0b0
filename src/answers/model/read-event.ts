/** @returns undefined for a text that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a failure, such as `overloaded_error`; "" when there is none, or when it could be a sentence. */
export function readCode(body: unknown): string {
  const error = field(body, "error");
  const code = [field(error, "code"), field(error, "type"), field(body, "code")].find(
    (value) => typeof value === "string" && /^[a-z][a-z0-9_.-]{0,59}$/i.test(value),
  );
  return typeof code === "string" ? code : "";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** A count of tokens as a server reports it; undefined when it cannot be a count. */
export const toTokens = (count: number | null | undefined): number | undefined =>
  typeof count === "number" && Number.isSafeInteger(count) && count >= 0 && count < 1e8 ? count : undefined;
