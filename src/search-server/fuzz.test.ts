/**
 * 1. Any multi-search body is answered with a result or an error of the right shape, never with a 5xx.
 * 2. So is any body of the facet search, and any query of a search by GET.
 * 3. So is any body of the admin routes; tasks fail only because of the client's mistakes, and searches
 *    continue.
 *
 * 500 of each by default; CONTRIBUTING.md says how to run 100,000.
 */
import * as fc from "fast-check";
import * as z from "zod";
import { expect, test } from "vitest";
import { longer } from "#platform/testing/longer.ts";
import { createSearchRoutes } from "./routes.ts";
import { openContentService } from "./changes/content-service.ts";
import { PUBLIC_INDEXES, storeOf, wireDocuments } from "./testing/documents.ts";

const FUZZ_RUNS = longer(500);
/** For all runs of one test, on a busy machine. */
const TIME_LIMIT_MS = 60_000 + FUZZ_RUNS * 50;

/** Names that every object inherits. */
const INHERITED = ["__proto__", "constructor", "toString"];

const store = storeOf("docs", wireDocuments(), {
  filterableAttributes: ["section"],
  sortableAttributes: ["section"],
});
store.replace("blog", store.require("docs").bytes);
const failures: unknown[] = [];
const app = createSearchRoutes({
  publicIndexes: PUBLIC_INDEXES,
  store,
  onError: (error) => failures.push(error),
}).admin;

const errorSchema = z.strictObject({
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  type: z.enum(["invalid_request", "auth"]),
  link: z.string().startsWith("https://"),
});

const resultSchema = z.looseObject({
  hits: z.array(z.looseObject({})),
  query: z.string(),
  processingTimeMs: z.int().min(0),
});

const someNames = fc.array(
  fc.oneof(fc.constantFrom("*", "title", "section", "content:3", "_geo", ...INHERITED), fc.string()),
  { maxLength: 3 },
);
/** Lists and names up to their caps and beyond. */
const manyNames = fc
  .tuple(
    fc.constantFrom("*", "title", "x", "x:1", "x".repeat(500), "x".repeat(501)),
    fc.constantFrom(99, 101, 5000),
  )
  .map(([name, length]) => Array.from({ length }, (_, at) => (length === 99 ? name : `${name}${at}`)));
const names = fc.oneof({ weight: 20, arbitrary: someNames }, { weight: 1, arbitrary: manyNames });
const tag = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("<em>", "", "\u0001".repeat(100)) },
  { weight: 1, arbitrary: fc.constantFrom("<".repeat(101), "<".repeat(5000)) },
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("docker page", '"how to" -build', "\0", "dokcer", "日本語", ...INHERITED),
  // Many phrases, exclusions, words, or none of them.
  fc
    .tuple(
      fc.constantFrom('"how to" ', "-docker ", '-"how to" ', "a b ", '"', "- ", "docker", "("),
      fc.nat(300),
    )
    .map(([part, times]) => part.repeat(times)),
);
const anything = fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: text });
const maybe = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 40, arbitrary },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(null) },
  );
const count = fc.oneof(fc.nat(70), fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1));
const someQuery = fc.record(
  {
    indexUid: fc.oneof({ weight: 20, arbitrary: fc.constant("docs") }, { weight: 1, arbitrary: anything }),
    q: maybe(text),
    limit: maybe(count),
    offset: maybe(count),
    page: maybe(count),
    hitsPerPage: maybe(count),
    filter: maybe(
      fc.oneof(
        fc.constantFrom("section = CLI", 'section IN ["API"]', "NOT section EXISTS", "constructor = 1"),
        text,
        fc.array(text),
        fc.constantFrom(2000, 2001).map((length) => Array.from({ length }, () => "section = CLI")),
        fc.nat(3000).map((times) => `${"NOT (".repeat(times)}section = CLI${")".repeat(times)}`),
      ),
    ),
    facets: maybe(fc.constantFrom(["section"], ["*"], [])),
    sort: maybe(fc.constantFrom([], ["section:asc"], ["title:desc"])),
    attributesToRetrieve: maybe(names),
    attributesToHighlight: maybe(names),
    attributesToCrop: maybe(names),
    attributesToSearchOn: maybe(fc.constantFrom(["title"], ["*"])),
    cropLength: maybe(count),
    cropMarker: maybe(tag),
    highlightPreTag: maybe(tag),
    showMatchesPosition: maybe(fc.boolean()),
    showRankingScore: maybe(fc.boolean()),
    showRankingScoreDetails: maybe(fc.boolean()),
    matchingStrategy: maybe(fc.constantFrom("last", "all", "frequency")),
    distinct: maybe(fc.constant("section")),
    rankingScoreThreshold: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  },
  { requiredKeys: ["indexUid"] },
);

const federatedQuery = fc.record(
  {
    indexUid: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("docs", "blog") },
      { weight: 1, arbitrary: anything },
    ),
    q: maybe(text),
    filter: maybe(fc.constantFrom("section = CLI", "NOT section EXISTS")),
    sort: maybe(fc.constantFrom([], ["section:asc"], ["section:desc"], ["title:desc"])),
    attributesToHighlight: maybe(names),
    federationOptions: maybe(fc.record({ weight: maybe(fc.double({ min: -1, max: 5, noNaN: true })) })),
  },
  { requiredKeys: ["indexUid"] },
);
const federation = fc.record(
  {
    limit: maybe(count),
    offset: maybe(count),
    page: maybe(count),
    hitsPerPage: maybe(count),
    distinct: maybe(fc.constantFrom("section", ...INHERITED)),
    facetsByIndex: maybe(
      fc.dictionary(
        fc.constantFrom("docs", "blog", "none", ...INHERITED),
        fc.constantFrom(["section"], ["*"], null),
      ),
    ),
    mergeFacets: maybe(fc.record({ maxValuesPerFacet: maybe(count) })),
  },
  { requiredKeys: [] },
);

function nested(depth: number): string {
  return `{"queries":${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

test(
  "1. any body",
  async () => {
    const body = fc.oneof(
      { weight: 6, arbitrary: fc.record({ queries: fc.array(someQuery, { maxLength: 3 }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ federation, queries: fc.array(federatedQuery, { maxLength: 3 }) }),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.nat(100_000).map((depth) => nested(depth)) },
    );
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const response = await app.request("/multi-search", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: typeof sent === "string" ? sent : JSON.stringify(sent),
        });
        const { status } = response;
        const json: unknown = await response.json();
        if (status === 200) {
          answered++;
          const { results } = z.looseObject({ results: z.array(resultSchema).optional() }).parse(json);
          if (!results)
            z.looseObject({ hits: z.array(z.unknown()), processingTimeMs: z.number() })
              .and(
                z.union([z.object({ estimatedTotalHits: z.number() }), z.object({ totalHits: z.number() })]),
              )
              .parse(json);
        } else {
          expect(status).toBeLessThan(500);
          errorSchema.parse(json);
        }
      }),
      { numRuns: FUZZ_RUNS },
    );
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(FUZZ_RUNS / 10);
  },
  TIME_LIMIT_MS,
);

test(
  "2. facet search and GET",
  async () => {
    const facetBody = fc.record(
      {
        facetName: maybe(fc.constantFrom("section", "title")),
        facetQuery: maybe(text),
        q: maybe(text),
        filter: maybe(text),
      },
      { requiredKeys: ["facetName"] },
    );
    const params = fc.dictionary(
      fc.oneof(
        {
          weight: 9,
          arbitrary: fc.constantFrom("q", "limit", "filter", "sort", "facets", "page", ...INHERITED),
        },
        { weight: 1, arbitrary: text },
      ),
      fc.oneof(
        text,
        fc.constantFrom("1", "section", "true", "section:asc", '["section = CLI"]', "["),
        fc.constantFrom("(,", "a,", "_geoPoint(1,2):asc,").map((part) => part.repeat(1000)),
      ),
    );
    const check = async (response: Response) => {
      const json: unknown = await response.json();
      if (response.status !== 200) return errorSchema.parse(json);
      return z.union([z.looseObject({ facetHits: z.array(z.unknown()) }), resultSchema]).parse(json);
    };
    await fc.assert(
      fc.asyncProperty(facetBody, params, async (sent, query) => {
        await check(
          await app.request("/indexes/docs/facet-search", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(sent),
          }),
        );
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, value.toWellFormed()]),
        );
        await check(await app.request(`/indexes/docs/search?${search.toString()}`));
      }),
      { numRuns: FUZZ_RUNS },
    );
    expect(failures).toEqual([]);
  },
  TIME_LIMIT_MS,
);

test(
  "3. admin routes",
  async () => {
    const own = storeOf("docs", wireDocuments().slice(0, 5));
    const content = await openContentService({
      store: own,
      dataDir: null,
      onError: (error) => failures.push(error),
    });
    const adminKey = "the-admin-key-of-the-fuzz";
    const admin = createSearchRoutes({
      publicIndexes: PUBLIC_INDEXES,
      store: own,
      content,
      adminKey,
      onError: (error) => failures.push(error),
    }).admin;
    const list = fc.array(fc.oneof(text, fc.constantFrom("*", "title", "id")), { maxLength: 3 });
    const settings = fc.record(
      {
        searchableAttributes: maybe(list),
        displayedAttributes: maybe(list),
        filterableAttributes: maybe(list),
        sortableAttributes: maybe(list),
        rankingRules: maybe(fc.constantFrom([], ["words", "title:asc"], ["sort"])),
        stopWords: maybe(list),
        synonyms: maybe(fc.dictionary(text, list)),
        distinctAttribute: maybe(fc.constantFrom("title", null)),
        separatorTokens: maybe(list),
        nonSeparatorTokens: maybe(list),
        dictionary: maybe(list),
        typoTolerance: maybe(fc.constant({ enabled: false })),
        pagination: maybe(fc.record({ maxTotalHits: count })),
        faceting: maybe(fc.record({ maxValuesPerFacet: count })),
      },
      { requiredKeys: [] },
    );
    const document = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.dictionary(fc.constantFrom("id", "title", "a.b", "_geo", ...INHERITED), anything),
      },
      { weight: 9, arbitrary: fc.record({ id: fc.nat(9), title: anything, tags: anything }) },
      { weight: 1, arbitrary: anything },
    );
    const call = fc.oneof(
      fc.tuple(fc.constant("PATCH"), fc.constant("/indexes/docs/settings"), settings),
      fc.tuple(
        fc.constantFrom("POST", "PUT"),
        fc.constant("/indexes/docs/documents"),
        fc.array(document, { maxLength: 4 }),
      ),
      fc.tuple(
        fc.constant("POST"),
        fc.constant("/indexes/docs/documents/delete"),
        fc.record({ filter: maybe(text) }),
      ),
      fc.tuple(
        fc.constant("POST"),
        fc.constantFrom("/indexes/docs/documents/fetch", "/indexes", "/swap-indexes"),
        anything,
      ),
      fc.tuple(
        fc.constant("PUT"),
        fc
          .constantFrom("stop-words", "dictionary", "ranking-rules", "nothing", ...INHERITED)
          .map((name) => `/indexes/docs/settings/${name}`),
        maybe(list),
      ),
    );
    await fc.assert(
      fc.asyncProperty(call, async ([method, path, sent]) => {
        const response = await admin.request(path, {
          method,
          headers: { "content-type": "application/json", authorization: `Bearer ${adminKey}` },
          body: JSON.stringify(sent),
        });
        expect(response.status).toBeLessThan(500);
        if (response.status >= 400) errorSchema.parse(await response.json());
        await content.tasks.settled();
        expect(content.tasks.all()[0]?.error?.code).not.toBe("internal");
        expect(
          own.search("docs", { q: "docker", highlight: { attributes: ["*"], preTag: "<", postTag: ">" } })
            .hits.length,
        ).toBeLessThan(21);
      }),
      { numRuns: Math.ceil(FUZZ_RUNS / 5) },
    );
    expect(failures).toEqual([]);
    const succeeded = content.tasks.all().filter(({ status }) => status === "succeeded").length;
    // About two in five do; chance does not go below one in ten.
    expect(succeeded).toBeGreaterThan(FUZZ_RUNS / 50);
    await content.close();
  },
  TIME_LIMIT_MS,
);
