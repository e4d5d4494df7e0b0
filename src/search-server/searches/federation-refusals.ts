/** What a query of a federated search cannot ask for itself. */
import { ApiError } from "../protocol/errors.ts";
import type { FederatedQuery } from "./federated-search.ts";

/** @throws ApiError */
export function refusePerQueryOptions(query: FederatedQuery, position: number): void {
  if (query.showPerformanceDetails) {
    throw new ApiError(
      "invalid_multi_search_query_show_performance_details",
      "Using `.showPerformanceDetails` is not allowed in federated queries.\n" +
        ` - Hint: remove \`showPerformanceDetails\` from query #${position} or remove \`federation\` from the request`,
    );
  }
  const paging = (["limit", "offset", "page", "hitsPerPage"] as const).find((name) => query[name] != null);
  if (paging) {
    throw new ApiError(
      "invalid_multi_search_query_pagination",
      "Using pagination options is not allowed in federated queries.\n" +
        ` - Hint: remove \`${paging}\` from query #${position} or remove \`federation\` from the request\n` +
        " - Hint: pass `federation.limit` and `federation.offset` for pagination in federated search",
    );
  }
  if (query.facets != null) {
    throw new ApiError(
      "invalid_multi_search_query_facets",
      "Using facet options is not allowed in federated queries.\n" +
        ` - Hint: remove \`facets\` from query #${position} or remove \`federation\` from the request\n` +
        " - Hint: pass `federation.facetsByIndex` for facets in federated search",
    );
  }
  if (query.federationOptions?.remote != null) {
    throw new ApiError(
      "feature_not_enabled",
      "Federation over remote servers is not available: this server has no `network`. Remove `federationOptions.remote`.",
    );
  }
}
