/** Assigns a job's exchange to a relationship, as far as the stored claims allow. */
import type { Exchange, TrustRelationship } from "#api/gen/json-types.ts";

export interface ExchangeCount {
  given: number;
  refused: number;
  /** Older exchanges of the same week were dropped: the figures are minimums. */
  isCut: boolean;
}

const WEEK_MS = 7 * 86_400_000;
/** The server keeps that many granted and that many refused exchanges for each project. */
const KEPT_PER_PROJECT = 50;

/** @returns one count for each relationship, in their order */
export function countExchanges(
  relationships: readonly TrustRelationship[],
  exchanges: readonly Exchange[],
  now: number,
): ExchangeCount[] {
  const counts = relationships.map(() => ({ given: 0, refused: 0, isCut: false }));
  const recent = exchanges.filter(({ time }) => now - Date.parse(time ?? "") < WEEK_MS);
  const refused = recent.filter(({ refused_because }) => refused_because !== "").length;
  const isCut = Math.max(refused, recent.length - refused) >= KEPT_PER_PROJECT;
  for (const exchange of recent) {
    const count = counts[findRelationship(relationships, exchange)];
    if (!count) continue;
    if (exchange.refused_because === "") count.given += 1;
    else count.refused += 1;
    count.isCut = isCut;
  }
  return counts;
}

/** The relationship that it fulfils, or else the least different one with its issuer; -1: none has its issuer. */
function findRelationship(relationships: readonly TrustRelationship[], { issuer, claims }: Exchange): number {
  let nearest = -1;
  let fewest = Infinity;
  for (const [index, relationship] of relationships.entries()) {
    if (relationship.issuer !== issuer) continue;
    const entries = Object.entries(relationship.claims);
    const differing = entries.filter(([name, wanted]) => claims[name] !== wanted).length;
    // If two differ equally, the one with more matching claims wins.
    const distance = differing - entries.length / 100;
    if (distance < fewest) [nearest, fewest] = [index, distance];
  }
  return nearest;
}

export const formatExchanges = (count: number, isCut: boolean): string =>
  count === 0 ? "0" : `${count}${isCut ? "+" : ""}`;
