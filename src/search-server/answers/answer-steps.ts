/**
 * The JSON of a large answer, made piece by piece with turns for other work in between: three megabytes in
 * one go block the event loop for 40 ms. Small answers, nearly all of them, are made in one go.
 */
import type { Steps } from "#search/index.ts";
import { Answer } from "./answer.ts";

/** Hits whose JSON is made in one go; a page of results has 20. */
const HITS_AT_ONCE = 40;
/** UTF-16 units of text that are encoded as UTF-8 in one go. */
const PIECE_UNITS = 64 * 1024;

type JsonObject = { readonly [name: string]: unknown };

/** @param json of one search, of several, or of a federated one */
export function* answerSteps(json: JsonObject): Steps<Answer> {
  if (countHits(json) <= HITS_AT_ONCE) return new Answer(json);
  const bytes: Uint8Array[] = [];
  let text = "";
  const write = (part: string) => {
    text += part;
    if (text.length < PIECE_UNITS) return;
    bytes.push(Buffer.from(text));
    text = "";
  };
  yield* writeObject(json, write);
  bytes.push(Buffer.from(text));
  return new Answer(json, new Uint8Array(Buffer.concat(bytes)));
}

function countHits({ results, hits }: JsonObject): number {
  if (Array.isArray(results)) return results.reduce<number>((sum, result) => sum + countHits(result), 0);
  return Array.isArray(hits) ? hits.length : 0;
}

/** Writes the object as `JSON.stringify` does. */
function* writeObject(object: JsonObject, write: (part: string) => void): Steps<void> {
  let before = "{";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    write(`${before}${JSON.stringify(name)}:`);
    before = ",";
    if (Array.isArray(value)) yield* writeList(value, write);
    else write(JSON.stringify(value));
  }
  write(before === "{" ? "{}" : "}");
}

function* writeList(list: readonly unknown[], write: (part: string) => void): Steps<void> {
  let before = "[";
  for (const item of list) {
    write(before);
    before = ",";
    // One of several results; a hit is small.
    if (isResult(item)) yield* writeObject(item, write);
    else write(JSON.stringify(item) ?? "null");
    yield;
  }
  write(before === "[" ? "[]" : "]");
}

function isResult(item: unknown): item is JsonObject {
  return item !== null && typeof item === "object" && "hits" in item && Array.isArray(item.hits);
}
