/**
 * Which of a project's trust relationships a verified token fulfils.
 *
 * Values are equal as texts: a number or a yes counts as its JSON (`583231`, `true`), a list of one value as that
 * value, and everything else (longer lists, objects, null) equals nothing. Of several that match, the one with
 * the widest right to the cache counts: each of them is a grant, and no grant takes from another.
 */
import type { CacheRight } from "../schema.ts";
import type { TrustRelationship } from "../trust-relationships.ts";

const RIGHTS: readonly CacheRight[] = ["read", "overlay", "write"];
const MAX_DIFFERENCES = 20;
const MAX_SHOWN = 200;

/** @returns the right that the token has, or what differs from the relationship that comes nearest */
export function matchClaims(
  relationships: readonly TrustRelationship[],
  payload: Readonly<Record<string, unknown>>,
): { cache: CacheRight } | { differences: string } {
  let best: CacheRight | null = null;
  let nearest: string[] | null = null;
  for (const { claims, cache } of relationships) {
    const differences = compare(claims, payload);
    if (differences.length === 0) best = widerOf(best, cache);
    else if (!nearest || differences.length < nearest.length) nearest = differences;
  }
  if (best) return { cache: best };
  return { differences: (nearest ?? []).slice(0, MAX_DIFFERENCES).join("\n") };
}

function compare(claims: TrustRelationship["claims"], payload: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(claims).flatMap(([name, wanted]) => {
    const got = Object.hasOwn(payload, name) ? textOf(payload[name]) : null;
    return got === wanted ? [] : [describeDifference(name, wanted, Object.hasOwn(payload, name), got)];
  });
}

/** The text that a claim is compared by; null for what equals nothing. */
export function textOf(value: unknown): string | null {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single === "string") return single;
  return typeof single === "number" || typeof single === "boolean" ? JSON.stringify(single) : null;
}

function describeDifference(name: string, wanted: string, isThere: boolean, got: string | null): string {
  const said = isThere ? (got === null ? "a list or an object" : quote(got)) : "nothing";
  return `  ${name.slice(0, MAX_SHOWN)}: wanted ${quote(wanted)}, got ${said}`;
}

/** Quoted and escaped, so that a value cannot break the line or write to a terminal. */
export function quote(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function widerOf(one: CacheRight | null, other: CacheRight): CacheRight {
  return one && RIGHTS.indexOf(one) > RIGHTS.indexOf(other) ? one : other;
}
