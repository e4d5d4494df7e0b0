/**
 * An Atom feed (RFC 4287) for the documentation and one for each of its sections: the pages that changed last, by the dates
 * of their commits. A page that changes again is the same entry with a later date, which feed readers show as news.
 */
import { siteConfig } from "#config";
import type { Page } from "#docs/content/types.ts";
import { type Navigation, NO_SECTION, sectionOf } from "#docs/content/navigation/navigation.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { escapeXml } from "#platform/text/escape-xml.ts";
import { feedOf } from "../feed-address.ts";

const MAX_ENTRIES = 50;
/** A feed needs a date, but pages outside git have none. */
const NO_DATE = "1970-01-01";

type FeedPage = Pick<Page, "path" | "title" | "description" | "updated">;

/** @returns files to serve, with their names */
export function feedFiles(
  pages: readonly FeedPage[],
  navigation: Navigation,
  origin: string,
): { name: string; text: string }[] {
  const all = feedOf("/docs");
  const feeds = new Map([[all, [...pages]]]);
  for (const page of pages) {
    const address = feedOf(page.path);
    if (address !== all) feeds.set(address, [...(feeds.get(address) ?? []), page]);
  }
  return [...feeds].map(([address, own]) => {
    const title = address === all ? NO_SECTION : titleOf(own, navigation);
    return { name: address.slice(1), text: writeFeed({ address, title, pages: own, origin }) };
  });
}

/** The section's name in the tree; pages without a section are named after the first of them. */
function titleOf(pages: readonly FeedPage[], navigation: Navigation): string {
  const names = pages.map(({ path }) => sectionOf(navigation, path));
  return names.find((name) => name !== NO_SECTION) ?? pages[0]?.title ?? NO_SECTION;
}

interface Feed {
  address: string;
  title: string;
  pages: readonly FeedPage[];
  origin: string;
}

function writeFeed({ address, title, pages, origin }: Feed): string {
  const dated = pages
    .flatMap((page) => (page.updated === null ? [] : [{ ...page, updated: page.updated }]))
    .sort((one, other) => compare(other.updated, one.updated) || compare(one.path, other.path))
    .slice(0, MAX_ENTRIES);
  const text = (value: string) => escapeXml(fillPlaceholders(value, origin));
  const entries = dated.map(
    (page) => `  <entry>
    <id>${origin}${page.path}</id>
    <title>${text(page.title)}</title>
    <link href="${origin}${page.path}"/>
    <updated>${page.updated}T00:00:00Z</updated>
    <summary>${text(page.description)}</summary>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${siteConfig.search.language}">
  <id>${origin}${address}</id>
  <title>${text(`${siteConfig.name} docs: ${title}`)}</title>
  <link rel="self" type="application/atom+xml" href="${origin}${address}"/>
  <link href="${origin}/docs"/>
  <updated>${dated[0]?.updated ?? NO_DATE}T00:00:00Z</updated>
  <author><name>${escapeXml(siteConfig.owner)}</name></author>
${entries.join("")}</feed>
`;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
