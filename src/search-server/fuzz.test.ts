/**
 * 1. Any body at all is answered with a result of the right shape or an error of the right shape, never with a 5xx.
 *
 * `FUZZ_RUNS=100000` for a long look.
 */
import * as fc from "fast-check";
import * as z from "zod";
import { expect, test } from "vitest";
import { createSearchApp } from "./app.ts";
import { wireStore } from "./test-documents.ts";

const FUZZ_RUNS = Number(process.env["FUZZ_RUNS"] ?? 500);

const failures: unknown[] = [];
const app = createSearchApp({ store: wireStore(), onError: (error) => failures.push(error) });

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

const names = fc.array(
  fc.oneof(fc.constantFrom("*", "title", "section", "content:3", "_geo", "__proto__"), fc.string()),
  {
    maxLength: 3,
  },
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("docker page", '"how to" -build', "\0", "dokcer", "日本語"),
);
const anything = fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: text });
const maybe = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary },
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
        fc.constantFrom("section = CLI", 'section IN ["API"]', "NOT section EXISTS"),
        text,
        fc.array(text),
      ),
    ),
    facets: maybe(fc.constantFrom(["section"], ["*"], [])),
    sort: maybe(fc.constantFrom([], ["title:asc"])),
    attributesToRetrieve: maybe(names),
    attributesToHighlight: maybe(names),
    attributesToCrop: maybe(names),
    attributesToSearchOn: maybe(fc.constantFrom(["title"], ["*"])),
    cropLength: maybe(count),
    cropMarker: maybe(text),
    highlightPreTag: maybe(text),
    showMatchesPosition: maybe(fc.boolean()),
    showRankingScore: maybe(fc.boolean()),
    showRankingScoreDetails: maybe(fc.boolean()),
    matchingStrategy: maybe(fc.constantFrom("last", "all", "frequency")),
    distinct: maybe(fc.constant("section")),
    rankingScoreThreshold: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  },
  { requiredKeys: ["indexUid"] },
);

test("1. any body", async () => {
  const body = fc.oneof(
    { weight: 6, arbitrary: fc.record({ queries: fc.array(someQuery, { maxLength: 3 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        federation: fc.record({ limit: count, offset: count }),
        queries: fc.array(someQuery, { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const response = await app.request("/multi-search", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(sent),
      });
      const { status } = response;
      const json: unknown = await response.json();
      if (status === 200) {
        answered++;
        const { results } = z.looseObject({ results: z.array(resultSchema).optional() }).parse(json);
        if (!results)
          z.looseObject({ hits: z.array(z.unknown()), estimatedTotalHits: z.number() }).parse(json);
      } else {
        expect(status).toBeLessThan(500);
        errorSchema.parse(json);
      }
    }),
    { numRuns: FUZZ_RUNS },
  );
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(FUZZ_RUNS / 30);
}, 600_000);
