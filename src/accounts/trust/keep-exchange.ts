/**
 * The stored part of an exchange: what people need to see why a token was given or refused, within limits. Claims are stored
 * as the token has them, so that another relationship can be tried on them; a claim longer than any allowed value is cut to a
 * length that matches none.
 */
import { newTimedId, type RandomBytes } from "../contract/ids.ts";
import {
  MAX_ADDRESS_LENGTH,
  MAX_CLAIM_LENGTH,
  MAX_KEPT_CLAIMS,
  MAX_KEPT_CLAIMS_BYTES,
  MAX_SUBJECT_LENGTH,
} from "../contract/limits.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { type ClaimCheck, textOf, toJson } from "./match-claims.ts";

export type Claims = Readonly<Record<string, unknown>>;

export interface KeptExchange {
  organizationId: string;
  projectId: string;
  issuer: string;
  subject: string;
  /** From a token with a valid signature. */
  claims: Claims;
  /** Claims that the project's relationships name; they are stored before others. */
  wanted: ReadonlySet<string>;
  address: string;
  /** A sentence; "": a token was given. */
  refusedBecause: string;
  differences: readonly ClaimCheck[];
  tokenId: string | null;
}

const ALWAYS = ["iss", "aud", "sub"];

/** A job's name from the claim `sub`, safe to show. */
export function subjectOf({ sub }: Claims): string {
  const text = (textOf(sub) ?? "").slice(0, MAX_SUBJECT_LENGTH);
  return text.toWellFormed().replace(/\p{C}/gu, "?");
}

/** @returns its id */
export async function addExchange(
  { clock, randomBytes }: { clock: () => number; randomBytes: RandomBytes },
  transaction: AccountTransaction,
  exchange: KeptExchange,
): Promise<string> {
  const time = clock();
  const id = newTimedId(time, randomBytes);
  await transaction
    .insertInto("exchanges")
    .values({
      id,
      organization_id: exchange.organizationId,
      project_id: exchange.projectId,
      time,
      issuer: exchange.issuer,
      subject: exchange.subject,
      claims: JSON.stringify(keepClaims(exchange.claims, exchange.wanted)),
      is_refused: exchange.refusedBecause === "" ? 0 : 1,
      refused_because: exchange.refusedBecause,
      differences: JSON.stringify(exchange.differences),
      token_id: exchange.tokenId,
      address: exchange.address.slice(0, MAX_ADDRESS_LENGTH),
    })
    .execute();
  return id;
}

/** The first claims that fit; wanted ones before others. */
function keepClaims(claims: Claims, wanted: ReadonlySet<string>): Claims {
  const first = new Set([...ALWAYS, ...wanted]);
  const names = Object.keys(claims);
  const ordered = [...names.filter((name) => first.has(name)), ...names.filter((name) => !first.has(name))];
  const kept: [string, unknown][] = [];
  let bytes = 0;
  for (const name of ordered) {
    if (name.length > MAX_CLAIM_LENGTH) continue;
    const value = keepValue(claims[name]);
    const size = Buffer.byteLength(JSON.stringify([name, value]));
    if (kept.length === MAX_KEPT_CLAIMS || bytes + size > MAX_KEPT_CLAIMS_BYTES) break;
    bytes += size;
    kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

function keepValue(value: unknown): unknown {
  const json = toJson(value);
  const text = textOf(value) ?? json;
  return json.length <= MAX_CLAIM_LENGTH || text.length <= MAX_CLAIM_LENGTH
    ? value
    : text.slice(0, MAX_CLAIM_LENGTH + 1);
}
