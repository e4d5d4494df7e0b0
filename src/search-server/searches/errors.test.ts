/**
 * 1. A wrong body is answered with the protocol's status, code and message, never with a 5xx.
 * 2. Unknown fields are refused with the known ones, and a near one is suggested.
 * 3. Errors in one of several queries say which one.
 */
import { describe, expect, test } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import { PUBLIC_INDEXES, wireStore } from "../testing/documents.ts";
import { createSender, errorSchema } from "../testing/requests.ts";

const app = createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store: wireStore() }).admin;
const { send, errorOf } = createSender(app);

describe("1. wrong bodies", () => {
  test.each<[string, unknown, number, string, string]>([
    ["/multi-search", "{", 400, "malformed_payload", "The json payload provided is malformed."],
    ["/multi-search", "", 400, "missing_payload", "A json payload is missing."],
    ["/multi-search", "null", 400, "bad_request", "Invalid value type: expected an object, but found null"],
    ["/multi-search", [], 400, "bad_request", "expected an object, but found an array: `[]`"],
    ["/multi-search", {}, 400, "bad_request", "Missing field `queries`"],
    [
      "/multi-search",
      { queries: [{}] },
      400,
      "missing_index_uid",
      "Missing field `indexUid` inside `.queries[0]`",
    ],
    [
      "/multi-search",
      { queries: [{ indexUid: "docs", limit: "x" }] },
      400,
      "invalid_search_limit",
      'Invalid value type at `.queries[0].limit`: expected a positive integer, but found a string: `"x"`',
    ],
    [
      "/indexes/docs/search",
      { offset: -1 },
      400,
      "invalid_search_offset",
      "Invalid value type at `.offset`: expected a positive integer, but found a negative integer: `-1`",
    ],
    [
      "/indexes/docs/search",
      { q: 1 },
      400,
      "invalid_search_q",
      "expected a string, but found a positive integer: `1`",
    ],
    [
      "/indexes/docs/search",
      { matchingStrategy: "first" },
      400,
      "invalid_search_matching_strategy",
      "Unknown value `first` at `.matchingStrategy`: expected one of `last`, `all`, `frequency`",
    ],
    [
      "/indexes/docs/search",
      { filter: 3 },
      400,
      "invalid_search_filter",
      "at `.filter`: expected a string or an array",
    ],
    [
      "/indexes/docs/search",
      { filter: "a" },
      400,
      "invalid_search_filter",
      "Index `docs`: Was expecting an operation",
    ],
    [
      "/indexes/docs/search",
      { facets: ["title"] },
      400,
      "invalid_search_facets",
      "`title` is not filterable",
    ],
    [
      "/indexes/docs/search",
      { rankingScoreThreshold: 2 },
      400,
      "invalid_search_ranking_score_threshold",
      "between",
    ],
    [
      "/indexes/docs/search",
      { vector: [1] },
      400,
      "missing_search_hybrid",
      "missing `hybrid` parameter when `vector` is present",
    ],
    ["/indexes/none/search", {}, 404, "index_not_found", "Index `none` not found."],
    ["/indexes/a%20b/search", {}, 400, "invalid_index_uid", "`a b` is not a valid index uid"],
    ["/indexes/docs/facet-search", {}, 400, "missing_facet_search_facet_name", "Missing field `facetName`"],
    [
      "/indexes/docs/facet-search",
      { facetName: "title" },
      400,
      "invalid_facet_search_facet_name",
      "not facet-searchable",
    ],
    [
      "/indexes/docs/facet-search",
      { facetName: 1 },
      400,
      "invalid_facet_search_facet_name",
      "expected a string",
    ],
  ])("%s %j", async (path, body, status, code, message) => {
    const error = await errorOf(path, body);
    expect(error).toMatchObject({ status, code, link: `https://docs.meilisearch.com/errors#${code}` });
    expect(error.message).toContain(message);
  });

  test("content type", async () => {
    expect(await errorOf("/multi-search", {}, { "content-type": "text/plain" })).toMatchObject({
      status: 415,
      code: "invalid_content_type",
    });
    const none = await app.request("/multi-search", { method: "POST" });
    expect(none.status).toBe(415);
    const withCharset = { "content-type": "application/json; charset=utf-8" };
    expect((await send("/multi-search", { queries: [] }, withCharset)).json).toEqual({ results: [] });
  });

  test("GET parameters", async () => {
    const get = async (query: string) => {
      const response = await app.request(`/indexes/docs/search?${query}`);
      return { status: response.status, ...errorSchema.parse(await response.json()) };
    };
    expect(await get("limit=x")).toMatchObject({
      status: 400,
      code: "invalid_search_limit",
      message: "Invalid value in parameter `limit`: could not parse `x` as a positive integer",
    });
    expect((await get("qq=x")).message).toContain("Unknown parameter `qq`: expected one of `q`, ");
    for (const path of ["/multi-search", "/indexes/docs/facet-search"]) {
      expect((await app.request(path)).status).toBe(405);
    }
  });
});

test("2. unknown fields", async () => {
  const error = await errorOf("/multi-search", { queries: [{ indexUid: "docs", limits: 3 }] });
  expect(error.code).toBe("bad_request");
  expect(error.message).toMatch(
    /^Unknown field `limits` inside `\.queries\[0\]`: did you mean `limit`\? expected one of `indexUid`, `q`, /,
  );
  expect((await errorOf("/indexes/docs/search", { color: 1 })).message).toMatch(
    /^Unknown field `color`: expected one of `q`/,
  );
  expect((await errorOf("/multi-search", { queries: [], x: 1 })).message).toBe(
    "Unknown field `x`: expected one of `federation`, `queries`",
  );
});

test("3. which query", async () => {
  const queries = [{ indexUid: "docs" }, { indexUid: "docs", filter: "title = x" }];
  expect((await errorOf("/multi-search", { queries })).message).toMatch(
    /^Inside `\.queries\[1\]`: Index `docs`: Attribute `title` is not filterable\./,
  );
  expect((await errorOf("/multi-search", { queries: [{ indexUid: "none" }] })).message).toBe(
    "Inside `.queries[0]`: Index `none` not found.",
  );
  const paged = { federation: {}, queries: [{ indexUid: "docs", limit: 3 }] };
  expect((await errorOf("/multi-search", paged)).code).toBe("invalid_multi_search_query_pagination");
  const weighted = { queries: [{ indexUid: "docs", federationOptions: { weight: 2 } }] };
  expect((await errorOf("/multi-search", weighted)).code).toBe("invalid_multi_search_federation_options");
});
