/**
 * Candidates of the first stage → the order of the hits.
 *
 *   all candidates     by the steps that need no reading (sort, custom rules, words), then by first score
 *   the best of them   read and ordered by all steps
 *
 * The number read does not depend on the requested page: so the order is one and the same for all pages, and no hit
 * is lost or comes twice.
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import type { Admitted } from "./admit.ts";
import { rankDocuments } from "./rank-documents.ts";
import { rankSections } from "./rank-sections.ts";
import type { RankedAdmitted, RankOptions } from "./ranked.ts";

export function rankCandidates(index: OpenedIndex, admitted: Admitted, options: RankOptions): RankedAdmitted {
  return index.settings.hierarchy
    ? rankSections(index, admitted, options)
    : { admitted, ranked: rankDocuments(index, admitted, options) };
}
