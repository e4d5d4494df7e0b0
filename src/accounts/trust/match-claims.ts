/**
 * Which of a project's trust relationships a verified token fulfills.
 *
 * Values are compared as texts: a number or a boolean counts as its JSON (`583231`, `true`), a list of one value as that
 * value, and everything else (longer lists, objects, null) equals nothing. If several match, the one with the widest
 * right to the cache counts: each of them is a grant, and no grant restricts another.
 */
import type { CacheRight } from "../records/schema.ts";
import type { TrustRelationship } from "./trust-relationships.ts";

const RIGHTS: readonly CacheRight[] = ["read", "overlay", "write"];
const MAX_DIFFERENCES = 20;
const MAX_SHOWN = 200;
/** Controls, and characters that are invisible or change the text direction. */
const UNSEEN = /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNSEEN_OR_CONTROL = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** One claim compared with a relationship's value. Texts are for people: cut, and without invisible characters. */
export interface ClaimCheck {
  claim: string;
  wanted: string;
  /** The token's value; "" with `isMissing`. */
  got: string;
  matches: boolean;
  /** The token has no such claim. */
  isMissing: boolean;
}

/** @returns the token's right, or its differences from the nearest relationship */
export function matchClaims(
  relationships: readonly TrustRelationship[],
  payload: Readonly<Record<string, unknown>>,
): { cache: CacheRight } | { differences: ClaimDifference[] } {
  let best: CacheRight | null = null;
  let nearest: ClaimDifference[] | null = null;
  for (const { claims, cache } of relationships) {
    const differences = compareClaims(claims, payload).filter(({ check }) => !check.matches);
    if (differences.length === 0) best = widerOf(best, cache);
    else if (!nearest || differences.length < nearest.length) nearest = differences;
  }
  if (best) return { cache: best };
  return { differences: (nearest ?? []).slice(0, MAX_DIFFERENCES) };
}

/** A check, and the line that reports it. */
export interface ClaimDifference {
  check: ClaimCheck;
  /** `  ref: wanted "refs/heads/main", got "refs/pull/418/merge"`: one line, safe for a terminal. */
  line: string;
}

/** Each wanted claim, in order. */
export function compareClaims(
  wanted: Readonly<Record<string, string>>,
  payload: Readonly<Record<string, unknown>>,
): ClaimDifference[] {
  return Object.entries(wanted).map(([claim, text]) => {
    const isMissing = !Object.hasOwn(payload, claim);
    const value = isMissing ? undefined : payload[claim];
    const got = textOf(value);
    const said = isMissing ? "nothing" : got !== null ? quote(got) : "a list or an object";
    return {
      check: {
        claim: showText(claim),
        wanted: showText(text),
        got: isMissing ? "" : showText(got ?? toJson(value)),
        matches: got === text,
        isMissing,
      },
      line: `  ${quote(claim).slice(1, -1)}: wanted ${quote(text)}, got ${said}`,
    };
  });
}

/** The text by which a claim is compared; null for a value that equals nothing. */
export function textOf(value: unknown): string | null {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single === "string") return single;
  return typeof single === "number" || typeof single === "boolean" ? JSON.stringify(single) : null;
}

/** The value's JSON; for a list or an object that is nested too deeply, only its kind. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return Array.isArray(value) ? "[…]" : "{…}";
    throw error;
  }
}

/** Quoted and escaped, so that a value cannot break the line or write to a terminal. */
export function quote(text: string): string {
  return JSON.stringify(cut(text)).replace(UNSEEN, escapeCharacter);
}

/** A stranger's text as people see it: cut, with invisible characters escaped. */
export function showText(text: string): string {
  return cut(text).toWellFormed().replace(UNSEEN_OR_CONTROL, escapeCharacter);
}

const cut = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function widerOf(one: CacheRight | null, other: CacheRight): CacheRight {
  return one && RIGHTS.indexOf(one) > RIGHTS.indexOf(other) ? one : other;
}
