/**
 * The page "Search over HTTP" is correct:
 * 1. Its curl sample is answered by the documentation's own index with the fields and the hit that it shows.
 * 2. Every row about missing features, and about refusals without a right, has the status and the code that it says.
 * 3. The samples about vectors and webhooks are answered, in their order; the last search finds the document.
 */
import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { buildIndex } from "#search/index.ts";
import {
  type ContentService,
  createSearchRoutes,
  createSearchStore,
  openContentService,
} from "#search-server/index.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { siteAddress } from "#docs/address/site-address.ts";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";

const origin = "https://millrace.example.com";
const text = readFileSync(new URL("../../content/docs/api/overview/search.mdx", import.meta.url), "utf8");
const adminKey = "an-admin-key-for-tests";

let content: ContentService;
let app: Hono;

beforeAll(async () => {
  const compiled = await compileContent();
  const records = docsRecords(compiled.pages, compiled.navigation, siteAddress(origin));
  const store = createSearchStore();
  store.replace(
    "docs",
    buildIndex(
      records.map((record) => ({ ...record })),
      docsIndexSettings(compiled.synonyms),
    ),
  );
  content = await openContentService({ store, dataDir: null, builtInIndexes: ["docs"] });
  const { admin } = createSearchRoutes({ publicIndexes: ["docs"], store, content, adminKey });
  app = new Hono().route("/search", admin);
  const embedders = { text: { source: "userProvided", dimensions: 1 } };
  await ask("PATCH", "/search/indexes/notes/settings/embedders", JSON.stringify(embedders));
  await content.tasks.settled();
}, 120_000);
afterAll(() => content.close());

async function ask(method: string, path: string, body?: string, key: string | null = adminKey) {
  const response = await app.request(path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, json: z.looseObject({}).parse(await response.json()) };
}

test("1. the sample", async () => {
  const [, path = "", body = ""] = /curl -sS \{\{origin\}\}(\S+)[\s\S]*?-d '([^']+)'/.exec(text)!;
  const shown = z
    .looseObject({})
    .parse(JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1]!.replaceAll("{{origin}}", origin)));
  const { status, json } = await ask("POST", path, body, null);
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(Object.keys(shown));
  const pageOf = ({ hits }: { hits?: unknown }) =>
    z
      .array(z.object({ url: z.string() }))
      .parse(hits)
      .map(({ url }) => url.replace(/#.*/, ""));
  expect(pageOf(json)).toEqual(pageOf(shown));
});

const rows = [
  ...text.matchAll(/^\| ([^|]+) \| `(GET|POST|PATCH) (\S+)(?: (\{.*\}))?` \| (\d+) `(\w+)` \|$/gm),
];

test.each(rows.map(([, name, ...rest]) => [name!, rest] as const))("2. %s", async (_, rest) => {
  const [method, path, body, status, code] = rest;
  const answer = await ask(method!, path!, body);
  expect([answer.status, answer.json["code"]]).toEqual([Number(status), code]);
});

test("2. refusals", async () => {
  expect(rows.length).toBeGreaterThan(9);
  expect(await ask("GET", "/search/indexes", undefined, null)).toMatchObject({
    status: 401,
    json: { code: "missing_authorization_header", type: "auth" },
  });
  expect(await ask("GET", "/search/indexes", undefined, "wrong")).toMatchObject({
    status: 403,
    json: { code: "invalid_api_key", type: "auth" },
  });
  expect(await ask("DELETE", "/search/indexes/docs")).toMatchObject({
    status: 403,
    json: { code: "index_built_in" },
  });
});

test("3. the samples", async () => {
  const samples = [...text.matchAll(/curl -sS (?:-X (\w+) )?\{\{origin\}\}(\S+)[^']*-d '([^']+)'/g)].slice(1);
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (const [, method = "POST", path = "", body = ""] of samples) {
    answers.push(await ask(method, path, body));
    await content.tasks.settled();
  }
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 200, 200, 202, 200, 202, 200, 200, 201]);
  expect(answers[2]!.json["hits"]).toEqual([{ id: 1, title: "Red shoes" }]);
  expect(answers[8]!.json["rendered"]).toBe("A bike called Aero");
  expect(answers[9]!.json["headers"]).toEqual({ authorization: "BeXXXX..." });
  const similar = await ask("POST", "/search/indexes/shop/similar", '{"id": 1, "embedder": "text"}');
  expect(similar).toMatchObject({ status: 200, json: { hits: [] } });
  const pinned = await ask("POST", "/search/indexes/shop/search", '{"q": "an invoice"}');
  expect(pinned.json["hits"]).toMatchObject([{ id: 1 }]);
});
