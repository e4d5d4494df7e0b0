/**
 * Algolia's Insights client, loaded once a reader has agreed: clicks on hits, with the anonymous cookie that the
 * specification describes. It sends to this origin, which stores the events and forwards them when it has a key.
 */
import { createInsightsClient, getRequesterForBrowser } from "search-insights";

const SIX_MONTHS_MS = 180 * 24 * 3600 * 1000;
/** Per event; Algolia refuses more object ids. */
const MAX_OBJECT_IDS = 20;

export interface InsightsOptions {
  index: string;
  /** Algolia's, when it is the search provider. */
  appId?: string;
  apiKey?: string;
}

export interface HitClick {
  /** 32 hexadecimal digits; the provider's, or made for the answer. */
  queryId: string;
  objectIds: string[];
  /** From 1, one for each object id. */
  positions: number[];
}

/** @returns a function that reports a click. */
export function startInsights({ index, appId = "millrace", apiKey = "public" }: InsightsOptions) {
  const insights = createInsightsClient(getRequesterForBrowser());
  insights("init", {
    appId,
    apiKey,
    host: `${location.origin}/insights`,
    useCookie: true,
    cookieDuration: SIX_MONTHS_MS,
  });
  return ({ queryId, objectIds, positions }: HitClick): void => {
    insights("clickedObjectIDsAfterSearch", {
      eventName: "Hit Clicked",
      index,
      queryID: queryId,
      objectIDs: objectIds.slice(0, MAX_OBJECT_IDS),
      positions: positions.slice(0, MAX_OBJECT_IDS),
    });
  };
}
