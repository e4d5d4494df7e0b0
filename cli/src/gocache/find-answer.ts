/** The answer to `POST /cache/gocache/find`: one line of JSON, then the bytes of the entries that are inline. */
import { type Entry, ID, parseEntry } from "./entry.ts";
import { MAX_ENTRY_BYTES } from "./limits.ts";

export interface FoundEntry extends Entry {
  /** Undefined if the bytes must be fetched. */
  bytes: Uint8Array | undefined;
}

/** @throws Error if the answer is malformed */
export function parseFindAnswer(answer: Buffer): Map<string, FoundEntry> {
  const end = answer.indexOf(10);
  if (end === -1) throw new Error("the response has no line of JSON");
  // Its fields are checked below.
  const line = JSON.parse(answer.toString("utf8", 0, end)) as unknown;
  const entries = isObject(line) ? line["entries"] : undefined;
  if (!Array.isArray(entries)) throw new Error("the response has no list of entries");
  const found = new Map<string, FoundEntry>();
  let at = end + 1;
  for (const each of entries as unknown[]) {
    if (!isObject(each)) throw new Error("the response has an invalid entry");
    const { action, output, size, time, inline } = each;
    const entry = parseEntry({ output, size, time }, MAX_ENTRY_BYTES);
    if (!entry || typeof action !== "string" || !ID.test(action))
      throw new Error("the response has an invalid entry");
    if (inline !== true) {
      found.set(action, { ...entry, bytes: undefined });
      continue;
    }
    const bytes = answer.subarray(at, at + entry.size);
    if (bytes.length < entry.size) throw new Error("the response is cut off");
    at += entry.size;
    found.set(action, { ...entry, bytes });
  }
  // The sizes do not match the bytes, so no entry can be trusted.
  if (at !== answer.length) throw new Error("the response has bytes that belong to no entry");
  return found;
}

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
