/**
 * Properties of `keywords` in a page's front matter:
 * 1. A page is found first by its keyword, before pages that have the words in their text or in a heading.
 * 2. Nothing else changes: other searches have the same hits, in the same order.
 */
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "#search/index.ts";
import { siteAddress } from "#docs/address/site-address.ts";
import { loadSynonyms } from "#docs/content/words/synonyms.ts";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";
import { pageOf } from "#docs/content/checks/page-fixture.ts";
import type { Navigation } from "#docs/content/navigation/navigation.ts";

const navigation: Navigation = { top: [], sections: [] };
const paragraph = (text: string) => ({ kind: "paragraph" as const, text });
const heading = (text: string) => ({ kind: "heading" as const, depth: 2 as const, id: "heading", text });

function findUrls(query: string, keywords: string[]): string[] {
  const pages = [
    pageOf({
      path: "/docs/text",
      title: "Storage",
      blocks: [paragraph("Where the artifact store keeps its files.")],
    }),
    pageOf({
      path: "/docs/heading",
      title: "Quotas",
      blocks: [heading("The artifact store"), paragraph("Its limits.")],
    }),
    pageOf({
      path: "/docs/cache",
      title: "How the cache works",
      keywords,
      blocks: [paragraph("One cache for files.")],
    }),
  ];
  const records = docsRecords(pages, navigation, siteAddress("https://docs.example.com"));
  const bytes = buildIndex(
    records.map((record) => ({ ...record })),
    docsIndexSettings(loadSynonyms(process.cwd()).synonyms),
  );
  return search(openIndex(bytes), { q: query, limit: 20 }).hits.map(({ document }) =>
    String(document["url"]),
  );
}

const cache = "https://docs.example.com/docs/cache";

test("1. first by its keyword", () => {
  expect(findUrls("artifact store", [])).not.toContain(cache);
  expect(findUrls("artifact store", ["artifact store"])[0]).toBe(cache);
  expect(findUrls("artif", ["artifact store"])[0]).toBe(cache);
});

test.each(["cache", "quotas", "files", "limits", "nothing"])("2. %s as before", (query) => {
  expect(findUrls(query, ["artifact store"])).toEqual(findUrls(query, []));
});
