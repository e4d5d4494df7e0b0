/**
 * A stand-in for the search of several indices in Algolia's Search API, version 1, over records in memory. It knows
 * whole and begun words, no typos and no ranking: enough to prove that the site speaks the protocol.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

type AlgoliaRecord = { [attribute: string]: unknown };

interface AlgoliaRequest {
  indexName: string;
  query: string;
  /** Either a window of hits, or none at all: `hitsPerPage: 0`. */
  offset?: number;
  length?: number;
  hitsPerPage?: number;
  facets?: string[];
  /** All of the outer list, any of an inner list; each `attribute:value`. */
  facetFilters?: (string | string[])[];
  highlightPreTag?: string;
  highlightPostTag?: string;
}

export interface AlgoliaServer {
  url: string;
  /** The queries that were answered. */
  queries: string[];
  /** While true every request fails. */
  isDown: boolean;
  close: () => Promise<void>;
}

export interface AlgoliaServerOptions {
  appId: string;
  searchKey: string;
  indexName: string;
  records: readonly AlgoliaRecord[];
}

export async function startAlgoliaServer(options: AlgoliaServerOptions): Promise<AlgoliaServer> {
  const server = createServer((request, response) => {
    void answer(request, options, state).then(({ status, json }) => {
      response.writeHead(status, {
        "content-type": "application/json",
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
      });
      response.end(JSON.stringify(json));
    });
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const state: AlgoliaServer = {
    url: `http://localhost:${port}`,
    queries: [],
    isDown: false,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return state;
}

async function answer(request: IncomingMessage, options: AlgoliaServerOptions, state: AlgoliaServer) {
  if (state.isDown) return { status: 500, json: { message: "Internal server error", status: 500 } };
  const { headers, method, url } = request;
  if (method === "OPTIONS") return { status: 200, json: {} };
  if (
    headers["x-algolia-application-id"] !== options.appId ||
    headers["x-algolia-api-key"] !== options.searchKey
  )
    return { status: 403, json: { message: "Invalid Application-ID or API key", status: 403 } };
  if (method !== "POST" || url !== "/1/indexes/*/queries")
    return { status: 404, json: { message: "Not found", status: 404 } };
  let text = "";
  for await (const chunk of request) text += String(chunk);
  // Sent by the site under test; a missing field shows as a failed test.
  const { requests } = JSON.parse(text) as { requests: AlgoliaRequest[] };
  if (requests.some(({ indexName }) => indexName !== options.indexName))
    return { status: 404, json: { message: `Index ${requests[0]?.indexName} does not exist`, status: 404 } };
  state.queries.push(...requests.map(({ query }) => query));
  return { status: 200, json: { results: requests.map((one) => search(one, options.records)) } };
}

function search(request: AlgoliaRequest, records: readonly AlgoliaRecord[]) {
  const words = request.query.toLowerCase().split(/\W+/).filter(Boolean);
  const found = records.filter(
    (record) =>
      words.every((word) => texts(record).some(([, text]) => new RegExp(`\\b${word}`, "i").test(text))) &&
      (request.facetFilters ?? []).every((part) => [part].flat().some((filter) => hasFacet(record, filter))),
  );
  const { hitsPerPage = 20, offset = 0, length = hitsPerPage, indexName: index, query } = request;
  return {
    hits: found
      .slice(offset, offset + length)
      .map((record) => ({ ...record, _highlightResult: highlight(record, words, request) })),
    nbHits: found.length,
    offset,
    length,
    index,
    query,
    processingTimeMS: 1,
    exhaustiveNbHits: true,
    ...(request.facets && { facets: countFacets(found, request.facets) }),
  };
}

function hasFacet(record: AlgoliaRecord, filter: string): boolean {
  const colon = filter.indexOf(":");
  return String(record[filter.slice(0, colon)]) === filter.slice(colon + 1);
}

function countFacets(records: readonly AlgoliaRecord[], facets: string[]) {
  const counts: { [facet: string]: { [value: string]: number } } = {};
  for (const facet of facets)
    for (const record of records) {
      const values = (counts[facet] ??= {});
      const value = String(record[facet]);
      values[value] = (values[value] ?? 0) + 1;
    }
  return counts;
}

function texts(record: AlgoliaRecord): [string, string][] {
  return Object.entries(record).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
}

function highlight(record: AlgoliaRecord, words: string[], request: AlgoliaRequest) {
  const { highlightPreTag = "<em>", highlightPostTag = "</em>" } = request;
  const pattern = new RegExp(`\\b(?:${words.join("|")})`, "gi");
  return Object.fromEntries(
    texts(record).map(([name, text]) => {
      const value = text.replace(pattern, (word) => highlightPreTag + word + highlightPostTag);
      const matchLevel = value === text ? "none" : "full";
      return [name, { value, matchLevel, matchedWords: matchLevel === "none" ? [] : words }];
    }),
  );
}
