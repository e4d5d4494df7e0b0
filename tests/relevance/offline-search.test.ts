/**
 * The offline copy finds the same as the server:
 * 1. For each question of `questions/` and each of its words, as the site's own client asks and with facets, filters
 *    and sorting, both give the same answer, field by field.
 * 2. Both refuse the same requests in the same words.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Hono } from "hono";
import { parse } from "yaml";
import * as z from "zod";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";
import { fillIndexedAddress, siteAddress } from "#docs/address/site-address.ts";
import { buildIndex } from "#search/index.ts";
import { openSearchAnywhere } from "#search-server/anywhere.ts";
import { createSearchRoutes, createSearchStore } from "#search-server/index.ts";
import { searchQuery } from "#site/docs/search/protocol.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";

const folder = join(import.meta.dirname, "questions");
const questions = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) =>
    Object.keys(z.record(z.string(), z.unknown()).parse(parse(readFileSync(join(folder, name), "utf8")))),
  );

let server: Hono;
let offline: (body: string) => Promise<Response>;

beforeAll(async () => {
  const { pages, navigation, synonyms } = await compileContent();
  const records = docsRecords(pages, navigation).map((record) => ({ ...record }));
  const bytes = buildIndex(records, docsIndexSettings(synonyms));
  const showText = (text: string) => fillIndexedAddress(text, siteAddress("https://docs.example.com"));
  const store = createSearchStore();
  store.replace("docs", bytes, { showText });
  server = new Hono().route("/", createSearchRoutes({ publicIndexes: ["docs"], store }).public);
  offline = openSearchAnywhere({ uid: "docs", bytes, showText });
}, 120_000);

async function expectEqual(body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const [online, copy] = await Promise.all([
    server.request("/multi-search", { method: "POST", headers, body: text }),
    offline(text),
  ]);
  expect(copy.status, text).toBe(online.status);
  const answers = [await online.json(), await copy.json()].map(withoutTime);
  expect(answers[1], text).toEqual(answers[0]);
  return answers[1];
}

/** The duration of a search differs each time. */
function withoutTime(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (name === "processingTimeMs" ? 0 : value)),
  );
}

test("1. every question, and each of its words", async () => {
  expect(questions.length).toBeGreaterThan(60);
  const words = new Set(questions.flatMap((question) => question.split(" ")));
  let found = 0;
  for (const query of [...questions, ...words]) {
    const answer = await expectEqual({ queries: [searchQuery({ indexUid: "docs", query })] });
    const { results } = z
      .object({ results: z.array(z.object({ hits: z.array(z.unknown()) })) })
      .parse(answer);
    found += results[0]?.hits.length ?? 0;
  }
  // Two searches without hits would also be equal.
  expect(found).toBeGreaterThan(questions.length);
});

test.each([
  { q: "cache", facets: ["hierarchy_lvl0", "type"] },
  { q: "cache", filter: 'type = "code"', limit: 5, offset: 3 },
  { q: "", sort: ["position:asc"], hitsPerPage: 7, page: 2 },
  { q: "docker bulid", showRankingScore: true, showMatchesPosition: true },
  { q: "“layer cache”", attributesToCrop: ["content"], cropLength: 8, attributesToHighlight: ["*"] },
])("1. %o", async (query) => {
  await expectEqual({ queries: [{ indexUid: "docs", ...query }] });
});

test.each([
  "",
  "{",
  '{"queries": [{"indexUid": "docs", "nonsense": 1}]}',
  '{"queries": [{"indexUid": "docs", "limit": -1}]}',
  '{"queries": [{"indexUid": "docs", "filter": "type ="}]}',
  '{"queries": [{"indexUid": "docs", "sort": ["nothing:asc"]}]}',
  '{"queries": [{"indexUid": "no index"}]}',
])("2. %s", async (body) => {
  const answer = await expectEqual(body);
  expect(answer).toHaveProperty("code");
});
