/**
 * The adapter's own tests of highlights and snippets, with other films:
 *
 * 1. The first hit's title and overview are marked where the typed letters are.
 * 2. Snippets of two words and of one, with a custom marker, also for numbers, lists and null.
 */
import { serve } from "@hono/node-server";
import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import { Meilisearch } from "meilisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FILMS } from "../testing/movies.ts";
import { startTestSession, succeeds, type TestSession } from "../testing/session.ts";

interface Hit {
  _highlightResult: { [name: string]: { value: string } };
  _snippetResult: { [name: string]: { value: string } };
}

let session: TestSession;
let search: (params: object) => Promise<Hit[]>;

beforeAll(async () => {
  session = await startTestSession(serve);
  const admin = new Meilisearch({
    host: session.url,
    apiKey: session.adminKey,
    defaultWaitOptions: { interval: 5, timeout: 60_000 },
  });
  await succeeds(admin.index("films").addDocuments(FILMS, { primaryKey: "id" }));
  const { searchClient } = instantMeiliSearch(session.url, session.adminKey);
  // Its declared types need algoliasearch's, which are not installed.
  const client = searchClient as unknown as {
    search: (requests: object[]) => Promise<{ results: { hits: Hit[] }[] }>;
  };
  search = async (params) => (await client.search([{ indexName: "films", params }])).results[0]!.hits;
});
afterAll(() => session.close());

const tags = { highlightPreTag: "<p>", highlightPostTag: "</p>" };

test("1. highlights", async () => {
  const attributesToHighlight = ["title", "overview"];
  const [ar] = await search({ query: "Ar", attributesToHighlight, ...tags });
  expect(ar?._highlightResult["title"]?.value).toBe("<p>Ar</p>iel");
  const [s] = await search({ query: "S", attributesToHighlight, ...tags });
  expect(s?._highlightResult["title"]?.value).toBe("<p>S</p>tar Wars");
  expect(s?._highlightResult["overview"]?.value).toContain("<p>S</p>kywalker");
  const [hello] = await search({ query: "hello", attributesToHighlight: ["*"], ...tags });
  expect(hello?._highlightResult).toMatchObject({
    id: { value: "2" },
    cast: [{ name: { value: "<p>hello</p> world" } }, { name: { value: "<p>hello</p> world" } }],
    studio: { id: { value: "1" } },
    nothing: { value: "null" },
  });
});

test("2. snippets", async () => {
  const snippets = async (query: string, attributesToSnippet: string[], more: object = {}) =>
    (await search({ query, attributesToSnippet, snippetEllipsisText: "…", ...tags, ...more })).map(
      ({ _snippetResult }) => _snippetResult,
    );
  const [placeholder] = await snippets("", ["overview:2"]);
  expect(placeholder?.["overview"]?.value).toBe("A miner…");
  const [star, rooms] = await snippets("s", ["overview:2", "title:1"]);
  expect(star).toMatchObject({
    title: { value: "<p>S</p>tar…" },
    overview: { value: "…Luke <p>S</p>kywalker…" },
  });
  expect(rooms).toMatchObject({ title: { value: "Four…" }, overview: { value: "It'<p>s</p>…" } });
  const [night, other] = await snippets("night", ["overview:1", "title:1"]);
  expect(night).toMatchObject({ title: { value: "…<p>Night</p>" }, overview: { value: "While…" } });
  expect(other).toMatchObject({ title: { value: "Four…" }, overview: { value: "…<p>night</p>…" } });
  const [kill] = await snippets("kill", ["overview:2"]);
  expect(kill).toMatchObject({ overview: { value: "null" }, title: { value: "<p>Kill</p> Bill: Vol. 1" } });
  const [marked] = await snippets("judgment", ["*:1"], { snippetEllipsisText: "( •_•)" });
  expect(marked).toMatchObject({
    id: { value: "6" },
    overview: { value: "While( •_•)" },
    genres: [{ value: "Action" }, { value: "Thriller" }, { value: "Crime" }],
  });
});
