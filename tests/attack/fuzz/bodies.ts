/** Bodies that each route accepts, as starting points. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import type { Random } from "./random.ts";

const search = {
  q: "docker cache",
  offset: 0,
  limit: 20,
  filter: ["section = CLI", ["a > 1", "b EXISTS"]],
  facets: ["*"],
  sort: ["title:asc", "_geoPoint(1,2):desc"],
  attributesToRetrieve: ["*"],
  attributesToHighlight: ["title"],
  attributesToCrop: ["content:5"],
  attributesToSearchOn: ["title"],
  cropLength: 10,
  cropMarker: "…",
  highlightPreTag: "<em>",
  highlightPostTag: "</em>",
  showMatchesPosition: true,
  showRankingScore: true,
  showRankingScoreDetails: true,
  matchingStrategy: "last",
  distinct: "section",
  rankingScoreThreshold: 0.1,
  locales: ["eng"],
};
const query = { indexUid: "docs", ...search };
const settings = {
  searchableAttributes: ["title", "*"],
  filterableAttributes: ["section"],
  sortableAttributes: ["title"],
  displayedAttributes: ["*"],
  stopWords: ["the"],
  synonyms: { a: ["b"] },
  rankingRules: ["words", "typo", "title:asc"],
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 } },
  faceting: { maxValuesPerFacet: 10, sortFacetValuesBy: { "*": "count" } },
  pagination: { maxTotalHits: 100 },
  distinctAttribute: "section",
};
const documents = [{ id: 1, title: "a", section: "b", _geo: { lat: 1, lng: 2 }, tags: ["x"] }, { id: 2 }];
const key = { name: "n", description: "d", actions: ["search"], indexes: ["docs"], expiresAt: null };
const snapshot = {
  event: "$snapshot",
  properties: {
    distinct_id: "a",
    $session_id: "s",
    $window_id: "w",
    $snapshot_data: [{ type: 2, timestamp: 1, data: { node: {} } }],
  },
};
const report = {
  event_id: "a".repeat(32),
  message: "m",
  exception: {
    values: [{ type: "E", value: "v", stacktrace: { frames: [{ filename: "f", lineno: 1, colno: 2 }] } }],
  },
  debug_meta: { images: [{ type: "sourcemap", code_file: "f", debug_id: "d" }] },
};
const click = {
  eventType: "click",
  eventName: "n",
  index: "docs",
  userToken: "u",
  queryID: "a".repeat(32),
  objectIDs: ["1"],
  positions: [1],
};

/** The first that fits the route; routes that none fits get any of them. */
const templates: [RegExp, unknown[]][] = [
  [
    /multi-search/,
    [
      { queries: [query, query] },
      { federation: { limit: 5, facetsByIndex: { docs: ["*"] } }, queries: [{ indexUid: "docs", q: "a" }] },
    ],
  ],
  [/facet-search/, [{ ...search, facetName: "section", facetQuery: "c" }]],
  [/\/search$/, [search]],
  [
    /documents\/(fetch|delete)/,
    [{ offset: 0, limit: 5, fields: ["id"], filter: "id = 1", ids: [1], sort: ["id:asc"] }],
  ],
  [/documents\/delete-batch/, [[1, "2"]]],
  [/documents/, [documents, { id: 1, title: "x" }]],
  [/settings$/, [settings]],
  [/settings\//, Object.values(settings)],
  [/swap-indexes/, [[{ indexes: ["fuzz-a", "fuzz-b"] }], [{ indexes: ["fuzz-a", "fuzz-c"], rename: true }]]],
  [/\/fields/, [{ offset: 0, limit: 5, filter: { attributePatterns: ["*"], displayed: true } }]],
  [/\/indexes/, [{ uid: "fuzz-a", primaryKey: "id" }, { uid: "fuzz-c" }]],
  [/\/keys/, [key]],
  [/experimental/, [{ metrics: false }]],
  [/\/ingest\/s/, [[snapshot], snapshot]],
  [/\/ingest\//, recordedBodies()],
  [/\/errors\//, [report]],
  [/\/insights\//, [{ events: [click, { ...click, eventType: "view" }] }]],
  [/\/mcp/, agentMessages()],
  [/\/feedback/, [{ path: "/docs/faq", answer: "no", text: "t" }]],
  [/\/your-data/, [{ ids: ["a".repeat(24)] }]],
  [/sign-in/, [{ token: "wrong-token-of-somebody" }]],
  [
    /actions/,
    [
      { kind: "synonym", words: ["a", "b"] },
      { action: "redirect", query: "a", to: "/docs" },
    ],
  ],
];

/** Messages of both generations of the Model Context Protocol; the newer generation names itself in each. */
function agentMessages(): unknown[] {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const clientInfo = { name: "fuzz", version: "1" };
  const calls = [
    { name: "search_docs", arguments: { query: "docker cache", limit: 5, section: "Build Cache" } },
    { name: "read_page", arguments: { page: "/docs/cli/reference#exit-codes", offset: 10 } },
  ];
  return [
    ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }],
    ["tools/list", {}],
    ["tools/list", { _meta }],
    ["subscriptions/listen", { _meta, notifications: { toolsListChanged: true } }],
    ...calls.flatMap((call) => [
      ["tools/call", call],
      ["tools/call", { ...call, _meta }],
    ]),
  ].map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }));
}

/** Bodies that the SDKs have sent to PostHog's routes. */
function recordedBodies(): unknown[] {
  const file = join(root, "tests/fixtures/telemetry/recorded-requests.ndjson");
  return (
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      // Recorded by a test of this repository.
      .map((line) => JSON.parse(line) as { url: string; body: unknown })
      .filter(
        ({ url, body }) =>
          url.startsWith("/ingest/") && !url.startsWith("/ingest/s") && typeof body === "object",
      )
      .map(({ body }) => body)
  );
}

/** Bodies that the route accepts; none if it is unknown. */
export const bodiesFor = (path: string): readonly unknown[] =>
  templates.find(([pattern]) => pattern.test(path))?.[1] ?? [];

export function bodyFor(path: string, random: Random): unknown {
  const fitting = bodiesFor(path);
  return random.pick(random.chance(0.95) && fitting.length > 0 ? fitting : random.pick(templates)[1]);
}

/** Sentry's envelope, from its parts. */
export function envelopeOf(payload: unknown, random: Random): string {
  const type = random.pick([
    "event",
    "event",
    "session",
    "transaction",
    "client_report",
    "attachment",
    "__proto__",
  ]);
  const json = JSON.stringify(payload);
  const length = random.chance(0.3)
    ? { length: random.pick([json.length, 0, -1, 1e9, json.length + 5]) }
    : {};
  const item = `${JSON.stringify({ type, ...length })}\n${json}\n`;
  return `${JSON.stringify({ event_id: "a".repeat(32) })}\n${item.repeat(random.pick([1, 1, 1, 3, 150]))}`;
}
