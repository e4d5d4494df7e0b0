/**
 * 1. A pattern covers exactly the indexes that a naive reading of it names; the closest of several decides.
 * 2. Whatever filter a tenant sends, in whatever form and on every search route, no document outside the rule
 *    comes back or is counted in a total, facet or facet value; with a valid filter all documents inside it
 *    are found.
 * 3. Facets of a federated search do not reveal whether an index exists.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, defaultSettings } from "#search/index.ts";
import { createSearchRoutes } from "../routes.ts";
import { openContentService } from "../changes/content-service.ts";
import { createSearchStore } from "../catalog/store.ts";
import { closestPattern, includesPattern, isIndexPattern, matchesPattern } from "./index-patterns.ts";
import { createKeyStore } from "./key-store.ts";
import { makeKey, makeToken, MASTER_KEY, START } from "../testing/keys.ts";

const uid = fc.string({ unit: fc.constantFrom("a", "b", "_"), minLength: 1, maxLength: 4 });
const pattern = fc.oneof(
  uid,
  uid.map((text) => `${text}*`),
  fc.constant("*"),
);

/** Reads a pattern as a shell does. */
const naively = (text: string, name: string) => new RegExp(`^${text.replace("*", ".*")}$`).test(name);

test("1. patterns", () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 5 }), pattern, uid, (patterns, other, name) => {
      expect(matchesPattern(other, name)).toBe(naively(other, name));
      const matching = patterns.filter((one) => naively(one, name));
      const closest = matching.toSorted(
        (a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")) || b.length - a.length,
      )[0];
      expect(closestPattern(patterns, name)).toBe(closest ?? null);
      for (const one of patterns)
        if (includesPattern(other, one) && naively(one, name)) expect(naively(other, name)).toBe(true);
    }),
  );
  for (const wrong of ["", "a*b", "**", "a b", "a/b", "é", "*a"]) expect(isIndexPattern(wrong)).toBe(false);
  // It matches one name that it includes, and one that it does not.
  expect([includesPattern("a*", "ab*"), includesPattern("ab*", "a*"), includesPattern("a", "a*")]).toEqual([
    true,
    false,
    false,
  ]);
});

const documents = Array.from({ length: 40 }, (_, at) => ({
  id: `d${at}`,
  tenant: ["one", "two's", 'three "3"', "one OR two"][at % 4]!,
  color: ["red", "green", "blue"][at % 3]!,
  size: at,
}));
const store = createSearchStore();
store.replace(
  "shared",
  buildIndex(documents, {
    ...defaultSettings(),
    primaryKey: "id",
    filterableAttributes: ["tenant", "color", "size"],
    sortableAttributes: ["size"],
  }),
);

const attack = fc.constantFrom(
  "tenant = one OR tenant != one",
  "size >= 0) OR (size >= 0",
  "' OR size >= 0 OR color = '",
  '" OR size >= 0 OR color = "',
  "NOT (tenant = one)",
  "tenant EXISTS",
  ") OR tenant EXISTS OR (color = red",
  "color = red OR",
  "size 0 TO 99",
  'tenant IN [one, "two\'s"]',
  "color = red AND size > 3",
  "",
  "  ",
);
const own = fc.oneof(
  attack,
  fc.string({ maxLength: 12 }),
  fc.array(fc.oneof(attack, fc.array(attack, { maxLength: 3 })), { maxLength: 3 }),
);
const rule = fc.constantFrom(
  { filter: "tenant = one", allows: "one" },
  { filter: `tenant = "two's"`, allows: "two's" },
  { filter: ["tenant = 'three \"3\"'"], allows: 'three "3"' },
  { filter: [['tenant = "one OR two"', "tenant = nobody"]], allows: "one OR two" },
  { filter: "tenant = one OR tenant = nobody", allows: "one" },
);

interface Answer {
  hits?: { id: string; tenant: string }[];
  results?: Answer[];
  totalHits?: number;
  estimatedTotalHits?: number;
  facetDistribution?: { [name: string]: { [value: string]: number } };
  facetsByIndex?: { [uid: string]: { distribution: { [name: string]: { [value: string]: number } } } };
  facetHits?: { value: string; count: number }[];
}

test("2. nothing outside the rule", { timeout: 60_000 }, async () => {
  const keys = createKeyStore({ masterKey: MASTER_KEY, clock: () => START });
  const content = await openContentService({ store: createSearchStore(), dataDir: null });
  const app = createSearchRoutes({ store, keys, content, publicIndexes: ["docs"] }).admin;
  const key = await makeKey(keys, { indexes: ["shared"] });
  let found = 0;

  await fc.assert(
    fc.asyncProperty(rule, own, fc.boolean(), async ({ filter, allows }, ownFilter, hasWildcard) => {
      const searchRules = hasWildcard ? { "*": {}, "shar*": {}, shared: { filter } } : { "sh*": { filter } };
      const token = makeToken(key.value, { apiKeyUid: key.record.uid, searchRules });
      const mine = documents.filter(({ tenant }) => tenant === allows);
      const ask = async (path: string, body?: unknown): Promise<Answer | null> => {
        const response = await app.request(path, {
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (response.status === 200) return (await response.json()) as Answer;
        expect(response.status).toBe(400);
        return null;
      };
      const check = (answer: Answer | null) => {
        if (!answer) return;
        for (const one of answer.results ?? [answer]) {
          for (const hit of one.hits ?? []) expect(hit.tenant).toBe(allows);
          expect(one.totalHits ?? one.estimatedTotalHits ?? 0).toBeLessThanOrEqual(mine.length);
          const facets = one.facetDistribution ?? one.facetsByIndex?.["shared"]?.distribution ?? {};
          for (const value of Object.keys(facets["tenant"] ?? {})) expect(value).toBe(allows);
          for (const count of Object.values(facets["color"] ?? {}))
            expect(count).toBeLessThanOrEqual(mine.length);
          for (const { value } of one.facetHits ?? []) expect(value).toBe(allows);
          found += one.hits?.length ?? 0;
        }
      };
      const query = { filter: ownFilter, facets: ["tenant", "color"], limit: 100 };
      check(await ask("/indexes/shared/search", query));
      check(await ask("/multi-search", { queries: [{ indexUid: "shared", ...query }] }));
      check(
        await ask("/multi-search", {
          federation: { limit: 100, facetsByIndex: { shared: ["tenant", "color"] } },
          queries: [
            { indexUid: "shared", filter: ownFilter },
            { indexUid: "shared", q: "d1" },
          ],
        }),
      );
      check(await ask("/indexes/shared/facet-search", { facetName: "tenant", filter: ownFilter }));
      const params = new URLSearchParams({
        filter: typeof ownFilter === "string" ? ownFilter.toWellFormed() : JSON.stringify(ownFilter),
        facets: "tenant,color",
        limit: "100",
      });
      check(await ask(`/indexes/shared/search?${params.toString()}`));
      const everything = await ask("/indexes/shared/search", { filter: "size >= 0", limit: 100 });
      expect(everything?.hits?.map(({ id }) => id).toSorted()).toEqual(mine.map(({ id }) => id).toSorted());
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(1000);
  await content.close();
});

test("3. facets of other indexes", async () => {
  const keys = createKeyStore({ masterKey: MASTER_KEY, clock: () => START });
  const content = await openContentService({ store: createSearchStore(), dataDir: null });
  const app = createSearchRoutes({ store, keys, content, publicIndexes: ["docs"] }).admin;
  const key = await makeKey(keys, { indexes: ["mine"] });
  const errors = await Promise.all(
    ["shared", "nowhere"].map(async (other) => {
      const body = { federation: { facetsByIndex: { [other]: ["tenant"] } }, queries: [] };
      const response = await app.request("/multi-search", {
        method: "POST",
        headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [response.status, (await response.text()).replaceAll(other, "x")];
    }),
  );
  expect(errors[0]).toEqual(errors[1]);
  expect(errors[0]?.[0]).toBe(403);
  await content.close();
});
