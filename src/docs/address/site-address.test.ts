/**
 * 1. A built text is filled with the origin, or with the host where the text has only the host; also for IPv6 and ports.
 * 2. A hit has the server's own address in every text, with the marks in the right places; the set of hits does not
 *    depend on that address, and the index does not change.
 */
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "#search/index.ts";
import { fillAddress } from "../content/page/placeholders.ts";
import { docsIndexSettings } from "../docs-index.ts";
import {
  BUILT_ADDRESS,
  fillBuiltAddress,
  fillIndexedAddress,
  INDEXED_ADDRESS,
  siteAddress,
} from "./site-address.ts";

test.each([
  ["https://docs.example.com", "docs.example.com"],
  ["http://localhost:3000", "localhost:3000"],
  ["http://[::1]:3000", "[::1]:3000"],
])("1. %s", (origin, host) => {
  const address = siteAddress(origin);
  const built = fillAddress('<a href="{{origin}}/docs">{{host}}/img</a>', BUILT_ADDRESS);
  expect(fillBuiltAddress(built, address)).toBe(`<a href="${origin}/docs">${host}/img</a>`);
  const indexed = fillAddress("curl {{origin}}, {{host}}", INDEXED_ADDRESS);
  expect(fillIndexedAddress(indexed, address)).toBe(`curl ${origin}, ${host}`);
});

const documents = [
  {
    objectID: "1",
    url: "{{origin}}/docs/one",
    hierarchy_lvl1: "One",
    content: "Send it to {{origin}}/push, then wait.",
  },
  {
    objectID: "2",
    url: "{{origin}}/docs/two",
    hierarchy_lvl1: "Two",
    content: "docker push {{host}}/acme/web",
  },
].map((document) => JSON.parse(fillAddress(JSON.stringify(document), INDEXED_ADDRESS)) as typeof document);
const bytes = buildIndex(documents, docsIndexSettings([]));

test.each(["https://builds.example.org", "http://localhost:3000"])("2. hits of %s", (origin) => {
  const address = siteAddress(origin);
  const index = openIndex(bytes, { showText: (text) => fillIndexedAddress(text, address) });
  const highlight = { attributes: ["*"], preTag: "<em>", postTag: "</em>" };
  const { hits } = search(index, { q: "push", limit: 10, highlight });
  expect(hits.map(({ document }) => document["url"]).sort()).toEqual([
    `${origin}/docs/one`,
    `${origin}/docs/two`,
  ]);
  const shown = JSON.stringify(hits);
  expect(shown).toContain(`Send it to ${origin}/<em>push</em>, then`);
  expect(shown).toContain(`<em>push</em> ${address.host}/acme/web`);
  expect(shown).not.toContain("millrace.example.com");
});

test("2. the same hits for every server", () => {
  const find = (q: string, origin: string) => {
    const showText = (text: string) => fillIndexedAddress(text, siteAddress(origin));
    return search(openIndex(bytes, { showText }), { q, limit: 10 }).hits.map(({ id }) => id);
  };
  for (const q of ["push", "millrace push", "two acme", "localhost"])
    expect(find(q, "http://localhost:3000")).toEqual(find(q, "https://builds.example.org"));
  expect(JSON.stringify(search(openIndex(bytes), { q: "push", limit: 10 }).hits)).toContain(
    "millrace.example.com",
  );
});
