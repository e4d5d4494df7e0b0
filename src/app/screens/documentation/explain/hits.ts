import type { ExplainableHit } from "#platform/text/explain-hit.ts";

/** UTF-16 units of an explained query: same limit as for readers. */
export const MAX_QUERY_LENGTH = 512;

/** The answer of `/console/api/explain`. */
export interface ExplainReport {
  query: string;
  /** The engine's estimate. */
  total: number;
  hits: ExplainableHit[];
}

const LEVELS = ["hierarchy_lvl0", "hierarchy_lvl1", "hierarchy_lvl2", "hierarchy_lvl3", "hierarchy_lvl4"];

/** The headings that lead to the record: "Cache › Overview › Limits". */
export function trailOf(hit: ExplainableHit): string {
  return LEVELS.map((level) => hit[level])
    .filter((text) => typeof text === "string" && text !== "" && text !== "null")
    .join(" › ");
}

/** The path and anchor of a hit; begins with exactly one slash, so that a link to it stays on this site. */
export function pathOf({ url }: ExplainableHit): string {
  const address = typeof url === "string" ? URL.parse(url, "https://site.invalid") : null;
  return address ? `/${address.pathname.replace(/^[/\\]+/, "")}${address.hash}` : "/";
}
