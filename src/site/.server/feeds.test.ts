/**
 * 1. There is a feed for the documentation and one for each section; a page is in both, and names the feed that its path
 *    leads to.
 * 2. Entries are pages, the last changed first, fifty at most; a page without a date is in no feed, and a feed without
 *    entries is valid.
 * 3. A title with markup is text. (That a browser reads the feeds as XML: tests/e2e/feeds.spec.ts.)
 */
import { expect, test } from "vitest";
import { emptyNavigation } from "#docs/content/navigation/navigation.ts";
import { feedOf } from "../feed-address.ts";
import { feedFiles } from "./feeds.ts";

const origin = "https://docs.example.com";
const page = (path: string, updated: string | null, title = path) => {
  return { path, title, updated, description: "One sentence." };
};

const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, value]) => value ?? "");

/** Address → id and date of the feed, then of its entries. */
function read(pages: Parameters<typeof feedFiles>[0]) {
  return new Map(
    feedFiles(pages, emptyNavigation, origin).map(({ name, text }) => [
      `/${name}`,
      { ids: valuesOf(text, "id"), dates: valuesOf(text, "updated"), titles: valuesOf(text, "title") },
    ]),
  );
}

test("1. one for all, one for each section", () => {
  const paths = [
    "/docs",
    "/docs/faq",
    "/docs/cache/overview",
    "/docs/cache/reference/turbo",
    "/docs/cli/login",
  ];
  const feeds = read(paths.map((path) => page(path, "2026-11-20")));
  expect([...feeds.keys()]).toEqual(["/docs.atom", "/docs/cache.atom", "/docs/cli.atom"]);
  expect(feeds.get("/docs.atom")?.ids).toHaveLength(1 + paths.length);
  for (const [address, { ids }] of feeds) expect(ids[0]).toBe(origin + address);
  for (const path of paths) expect(feeds.get(feedOf(path))?.ids.slice(1)).toContain(origin + path);
});

test("2. the last changed first", () => {
  const days = Array.from({ length: 60 }, (_, day) => page(`/docs/a${day}`, `2026-01-${10 + (day % 20)}`));
  const [newest, ...dates] = read([...days, page("/docs/never", null)]).get("/docs.atom")?.dates ?? [];
  expect(dates).toHaveLength(50);
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(dates[0]).toBe("2026-01-29T00:00:00Z");
  expect(newest).toBe(dates[0]);
  expect(read([page("/docs/never", null)]).get("/docs.atom")?.dates).toEqual(["1970-01-01T00:00:00Z"]);
});

test("3. a hostile title", () => {
  const title = `</title><script>"&amp;'{{host}}`;
  const feed = read([page("/docs/x", "2026-11-20", title)]).get("/docs.atom");
  expect(feed?.titles.at(-1)).toBe("&lt;/title&gt;&lt;script&gt;&quot;&amp;amp;'docs.example.com");
});
