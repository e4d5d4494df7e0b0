import type { TrialHit } from "#telemetry/index.ts";

export interface ComparedHit extends TrialHit {
  /** "new", "up 2", "down 1", "gone", or "". */
  mark: string;
  isMoved: boolean;
}

/** Marks the moves that a change causes. A record that occurs twice (two parts of one section) is compared part by part. */
export function compareHits(before: readonly TrialHit[], after: readonly TrialHit[]) {
  const [formerPlaces, places] = [placesOf(before), placesOf(after)];
  const marked = (hit: TrialHit, mark: string): ComparedHit => ({ ...hit, mark, isMoved: mark !== "" });
  return {
    before: keysOf(before).map(([hit, key]) => marked(hit, places.has(key) ? "" : "gone")),
    after: keysOf(after).map(([hit, key], index) => marked(hit, describeMove(formerPlaces.get(key), index))),
  };
}

/** "gone" means no longer in the first ten, "new" means not in them before. */
function describeMove(former: number | undefined, index: number): string {
  if (former === undefined) return "new";
  if (former === index) return "";
  return former > index ? `up ${former - index}` : `down ${index - former}`;
}

function keysOf(hits: readonly TrialHit[]): [hit: TrialHit, key: string][] {
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const count = (seen.get(hit.path) ?? 0) + 1;
    seen.set(hit.path, count);
    return [hit, `${hit.path} ${count}`];
  });
}

const placesOf = (hits: readonly TrialHit[]) => new Map(keysOf(hits).map(([, key], index) => [key, index]));
