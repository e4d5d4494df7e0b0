import type { Code, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { codeBlock } from "#docs/content/blocks/code-block.ts";
import { parseFenceMeta } from "#docs/content/blocks/fence-meta.ts";
import { escapeXml } from "#platform/text/escape-xml.ts";
import { siteConfig } from "#config";
import { changelog } from "./content.ts";
import type { ChangelogEntry } from "./read-marketing.ts";

/** The entries' Markdown as HTML; raw HTML in it is dropped. */
export async function renderEntries(): Promise<(ChangelogEntry & { html: string })[]> {
  return Promise.all(changelog.map(async (entry) => ({ ...entry, html: await entryHtml(entry.markdown) })));
}

async function entryHtml(markdown: string): Promise<string> {
  const tree: Root = unified().use(remarkParse).use(remarkGfm).parse(markdown);
  const blocks = new Map<Code, Awaited<ReturnType<typeof codeBlock>>>();
  for (const node of tree.children)
    if (node.type === "code") blocks.set(node, await codeBlock(node, parseFenceMeta(node).meta));
  const writer = unified()
    .use(remarkRehype, { handlers: { code: (_state, node: Code) => blocks.get(node) } })
    .use(rehypeStringify);
  return writer.stringify(await writer.run(tree));
}

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

export function ChangelogBody({ entries }: { entries: Awaited<ReturnType<typeof renderEntries>> }) {
  return (
    <>
      <section className="hero wrap">
        <div className="hero-text">
          <h1 className="h1-product">Changelog</h1>
          <div className="hero-side">
            <p>What changed, newest first.</p>
            <a className="text-link" href="/changelog.xml" type="application/rss+xml">
              Follow it as an RSS feed
            </a>
          </div>
        </div>
      </section>
      <div className="wrap entries">
        {entries.map((entry) => (
          <article key={entry.id} className="entry" id={entry.id} aria-labelledby={`${entry.id}-heading`}>
            <time dateTime={entry.date}>{dateFormat.format(new Date(entry.date))}</time>
            <div>
              <h2 id={`${entry.id}-heading`}>
                <a href={`#${entry.id}`}>{entry.title}</a>
              </h2>
              <div className="prose" dangerouslySetInnerHTML={{ __html: entry.html }} />
            </div>
          </article>
        ))}
      </div>
    </>
  );
}

/** RSS 2.0 (https://www.rssboard.org/rss-specification); links inside the entries become absolute. */
export async function changelogFeed(origin: string): Promise<string> {
  const entries = await renderEntries();
  const items = entries.map((entry) => {
    const link = `${origin}/changelog#${entry.id}`;
    const html = entry.html.replaceAll('href="/', `href="${origin}/`);
    return [
      "<item>",
      `<title>${escapeXml(entry.title)}</title>`,
      `<link>${link}</link>`,
      `<guid isPermaLink="true">${link}</guid>`,
      `<pubDate>${new Date(entry.date).toUTCString()}</pubDate>`,
      `<description>${escapeXml(html)}</description>`,
      "</item>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeXml(siteConfig.name)} changelog</title>
<link>${origin}/changelog</link>
<description>What changed in ${escapeXml(siteConfig.name)}.</description>
<language>en</language>
<atom:link href="${origin}/changelog.xml" rel="self" type="application/rss+xml"/>
${items.join("\n")}
</channel>
</rss>
`;
}
