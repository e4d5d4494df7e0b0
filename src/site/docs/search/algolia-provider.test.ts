/**
 * 1. A search becomes one request to the application's host, with its key, asking for one hit more than a
 *    page.
 * 2. Algolia's answer is converted to the site's own format: highlighted attributes in `_formatted`, the
 *    total.
 * 3. Answers are cached; failures are not, and carry Algolia's message.
 * 4. Filters become facet filters, and counts a request for no hits; a `-` at the beginning of a value does not exclude it.
 */
import { expect, test, vi } from "vitest";
import { createAlgoliaProvider } from "./algolia-provider.ts";

const result = {
  hits: [
    {
      objectID: "1",
      url: "https://docs.example.com/docs/cache/overview",
      hierarchy_lvl1: "Cache",
      _highlightResult: { hierarchy_lvl1: { value: "__ais-highlight__Cache__/ais-highlight__" } },
    },
  ],
  nbHits: 41,
  processingTimeMS: 3,
};
const request = { indexUid: "docs", query: "cache", page: 1 };

function setUp(...answers: Response[]) {
  const fetch = vi.fn<typeof globalThis.fetch>();
  for (const answer of answers) fetch.mockResolvedValueOnce(answer);
  return {
    fetch,
    provider: createAlgoliaProvider({ appId: "ABCDEFGHIJ", searchKey: "key", indexName: "site", fetch }),
  };
}

test("1. and 2. the request and the answer", async () => {
  const { fetch, provider } = setUp(Response.json({ results: [result] }));
  const [answer] = await provider.search([request]);
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe("https://ABCDEFGHIJ-dsn.algolia.net/1/indexes/*/queries");
  expect(init?.headers).toEqual({ "x-algolia-application-id": "ABCDEFGHIJ", "x-algolia-api-key": "key" });
  expect(JSON.parse(String(init?.body))).toMatchObject({
    requests: [{ indexName: "site", query: "cache", offset: 20, length: 21 }],
  });
  expect(answer).toMatchObject({ indexUid: "docs", query: "cache", estimatedTotalHits: 41 });
  expect(answer?.hits[0]).toEqual({
    objectID: "1",
    url: "https://docs.example.com/docs/cache/overview",
    hierarchy_lvl1: "Cache",
    _formatted: { hierarchy_lvl1: "__ais-highlight__Cache__/ais-highlight__" },
  });
});

test("4. filters and counts", async () => {
  const counted = { ...result, facets: { type: { code: 3 } } };
  const { fetch, provider } = setUp(Response.json({ results: [result, counted] }));
  const filter = [['"hierarchy_lvl0"="CLI"', '"hierarchy_lvl0"="-a \\"b\\""'], '"type"="code"'];
  const counting = { ...request, facets: ["type"], hitsPerPage: 0 };
  const [, counts] = await provider.search([{ ...request, filter }, counting]);
  const { requests } = JSON.parse(String(fetch.mock.calls[0]?.[1]?.body)) as { requests: object[] };
  expect(requests[0]).toMatchObject({
    facetFilters: [["hierarchy_lvl0:CLI", 'hierarchy_lvl0:\\-a "b"'], "type:code"],
    length: 21,
  });
  expect(requests[1]).toEqual({
    indexName: "site",
    query: "cache",
    hitsPerPage: 0,
    analytics: false,
    facets: ["type"],
  });
  expect(counts?.facetDistribution).toEqual({ type: { code: 3 } });
});

test("3. answers are kept, failures are not", async () => {
  const { fetch, provider } = setUp(
    Response.json({ message: "Index does not exist" }, { status: 404 }),
    Response.json({ results: [result] }),
  );
  await expect(provider.search([request])).rejects.toThrow("Index does not exist");
  expect(provider.peek([request])).toBeUndefined();
  await provider.search([request]);
  await provider.search([request]);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(provider.peek([request])?.[0]?.estimatedTotalHits).toBe(41);
});
