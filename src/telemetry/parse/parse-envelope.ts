/**
 * Sentry's envelope → its items. Lines: the envelope's header, then for each item a header and a payload.
 *
 *     {"event_id":"…","dsn":"…"}\n
 *     {"type":"event"}\n            payload to the end of the line
 *     {…}\n
 *     {"type":"attachment","length":10}\n   payload of so many bytes, line breaks included
 *
 * Source: Sentry's developer documentation, "Envelopes".
 */
import { checkJson, type JsonBudget } from "./check-json.ts";
import { Refusal } from "../contract/refusal.ts";

export interface EnvelopeItem {
  type: string;
  /** Parsed JSON; null for an attachment and for types that are not read. */
  payload: unknown;
}

/** An envelope has one event; sessions, reports and transactions may come together. */
const MAX_ITEMS = 100;
const JSON_TYPES = new Set(["event", "session", "client_report", "transaction"]);

/** @param budget for all items together @throws Refusal for a text that is not an envelope, or has too many values. */
export function parseEnvelope(text: string, budget: JsonBudget): EnvelopeItem[] {
  const bytes = Buffer.from(text);
  const readObject = (start: number, end: number, what: string) => {
    checkJson(bytes.subarray(start, end), budget);
    return parseObject(bytes.toString("utf8", start, end), what);
  };
  const lineEnd = (from: number) => {
    const end = bytes.indexOf(10, from);
    return end === -1 ? bytes.length : end;
  };
  let position = lineEnd(0);
  readObject(0, position, "The envelope's header");
  position += 1;
  const items: EnvelopeItem[] = [];
  while (position < bytes.length) {
    if (items.length >= MAX_ITEMS)
      throw new Refusal("too many events", `The envelope has more than ${MAX_ITEMS} items.`);
    const headerEnd = lineEnd(position);
    // An empty line may end the envelope.
    if (headerEnd === position) {
      position += 1;
      continue;
    }
    const header = readObject(position, headerEnd, `The header of item ${items.length}`);
    const length = header["length"];
    const start = Math.min(headerEnd + 1, bytes.length);
    const hasLength = typeof length === "number" && Number.isInteger(length) && length >= 0;
    const end = hasLength ? start + length : lineEnd(start);
    if (end > bytes.length)
      throw new Refusal("not readable", `Item ${items.length} is shorter than its length says.`);
    const type = typeof header["type"] === "string" ? header["type"] : "unknown";
    const payload = JSON_TYPES.has(type) ? readObject(start, end, `Item ${items.length}`) : null;
    items.push({ type, payload });
    position = end + 1;
  }
  return items;
}

function parseObject(text: string, what: string): { [name: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal(
      "not readable",
      `${what} is not JSON (${error instanceof Error ? error.message : error}).`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal("not readable", `${what} is not a JSON object.`);
  return value as { [name: string]: unknown };
}
