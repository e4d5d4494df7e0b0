import { buildTime } from "#docs/build-time.ts";
import { glossaryOf } from "#docs/content/words/glossary.ts";
import { knownErrors } from "#docs/content/words/known-errors.ts";
import { chooseTabs } from "#docs/content/blocks/markdown-tabs.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { sectionsOf } from "#docs/content/page/page-sections.ts";
import { previewNote } from "#docs/content/page/preview-note.ts";
import { currentPath, type Edition, editionPath } from "#docs/content/editions/edition.ts";
import type { Page } from "#docs/content/types.ts";
import { siteConfig } from "#config";
import type { Navigation } from "#docs/content/navigation/navigation.ts";
import { escapeXml } from "#platform/text/escape-xml.ts";
import { addressesOf } from "../editions.ts";
import { marketingPaths } from "../marketing/paths.ts";
import { feedFiles } from "./feeds.ts";
import { describeSetup, type Setup, tabsOfSetup } from "../docs/anywhere/setup/setup.ts";
import { securityText } from "./security-text.ts";

/**
 * Files for machines: every page's Markdown, `llms.txt`, `llms-full.txt`, `sitemap.xml`, feeds, `robots.txt`,
 * and others.
 */
export function textFiles(
  {
    pages,
    navigation,
    editions = [],
  }: { pages: Page[]; navigation: Navigation; editions?: readonly Edition[] },
  origin: string,
): { name: string; text: string }[] {
  const markdown = pages.map((page) => ({ page, text: fillPlaceholders(markdownOf(page, origin), origin) }));
  return [
    ...markdown.map(({ page, text }) => ({ name: `${page.path.slice(1)}.md`, text })),
    ...editions.flatMap((edition) =>
      edition.pages.map((page) => ({
        name: `${page.path.slice(1)}.md`,
        text: fillPlaceholders(markdownOf(page, origin), origin),
      })),
    ),
    ...[...pages, ...editions.flatMap((edition) => edition.pages)].map((page) => ({
      name: `${page.path.slice(1)}.sections.json`,
      text: JSON.stringify(sectionsOf(page)),
    })),
    { name: "llms.txt", text: llmsIndex(pages, origin) },
    { name: "llms-full.txt", text: markdown.map(({ text }) => text).join("\n\n---\n\n") },
    { name: "sitemap.xml", text: sitemap(pages, editions, origin) },
    ...feedFiles(pages, navigation, origin),
    { name: "opensearch.xml", text: openSearch(origin) },
    { name: "docs/errors.json", text: fillPlaceholders(JSON.stringify(knownErrors(pages)), origin) },
    { name: "docs/glossary.json", text: fillPlaceholders(JSON.stringify(glossaryOf(pages)), origin) },
    { name: ".well-known/security.txt", text: securityText(origin, buildTime()) },
    { name: "site.webmanifest", text: webManifest() },
    {
      name: "robots.txt",
      text: `User-agent: *\nAllow: /\nDisallow: /cli/\n\nSitemap: ${origin}/sitemap.xml\n`,
    },
  ];
}

function markdownOf(page: Page, origin: string, text = page.markdown, note = ""): string {
  const preview = previewNote(page).map((line) => `${line}\n`);
  return `${text.trim()}\n\n---\n\n${preview.join("")}Source: ${origin}${page.path}\n${note}`;
}

/** A page's Markdown with only the chosen tabs; undefined for a page without tabs that follow the setup. */
export function markdownForSetup(page: Page, origin: string, setup: Setup): string | undefined {
  if (page.markdownWithTabs === undefined) return undefined;
  const chosen = chooseTabs(page.markdownWithTabs, tabsOfSetup(setup));
  const note = `Shown for ${describeSetup(setup)}; for everyone: ${origin}${page.path}.md\n`;
  return fillPlaceholders(markdownOf(page, origin, chosen, note), origin);
}

/** https://llmstxt.org: a heading, a quotation, then a list of links. */
function llmsIndex(pages: Page[], origin: string): string {
  const lines = pages.map((page) =>
    [`- [${page.title}](${origin}${page.path}.md): ${page.description}`, ...previewNote(page)].join(" "),
  );
  const agents = `Agents can search these pages and read them in parts at ${origin}/mcp (Model Context Protocol, streamable HTTP, no token).`;
  const cli = `The command-line tool of this server: \`npm install -g ${origin}/cli/millrace.tgz\`; it is not in npm's registry.`;
  const text = `# ${siteConfig.name}\n\n> ${siteConfig.description}\n\n${agents}\n\n${cli}\n\n## Documentation\n\n${lines.join("\n")}\n`;
  return fillPlaceholders(text, origin);
}

function sitemap(pages: Page[], editions: readonly Edition[], origin: string): string {
  const translated = editions.filter(({ version }) => version === null);
  const translations = (path: string) => {
    const others = translated.flatMap(({ id, language, pages: own }) => {
      const to = editionPath(id, path);
      return own.some((page) => page.path === to) ? [{ language, path: to }] : [];
    });
    return others.length > 0 ? [{ language: siteConfig.search.language, path }, ...others] : [];
  };
  const languages = (path: string) =>
    addressesOf(origin, path, translations(currentPath(path))).map(
      ({ language, href }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    );
  const entry = (path: string, updated: string | null) =>
    `  <url><loc>${origin}${path}</loc>${updated ? `<lastmod>${updated}</lastmod>` : ""}${languages(path).join("")}</url>`;
  const entries = [
    entry("/", null),
    ...marketingPaths.map((path) => entry(path, null)),
    ...pages.map((page) => entry(page.path, page.updated)),
    ...translated.flatMap((edition) => edition.pages.map((page) => entry(page.path, page.updated))),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join("\n")}\n</urlset>\n`;
}

/** OpenSearch 1.1 (https://github.com/dewitt/opensearch): browsers offer the documentation's search in their address bar. */
function openSearch(origin: string): string {
  const { name, search } = siteConfig;
  // The format allows 16 characters and 1,024.
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(name.slice(0, 16))}</ShortName>
  <Description>${escapeXml(`Search the documentation of ${name}`)}</Description>
  <Image width="16" height="16" type="image/svg+xml">${origin}/favicon.svg</Image>
  <Url type="text/html" template="${origin}/docs?q={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
  <Language>${search.language}</Language>
  <InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`;
}

/** https://www.w3.org/TR/appmanifest/: name, icon and colours for the site on a home screen. */
function webManifest(): string {
  const manifest = {
    name: siteConfig.name,
    short_name: siteConfig.name,
    description: siteConfig.description,
    start_url: "/",
    display: "browser",
    background_color: "#ffffff",
    theme_color: "#024e64",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    ],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
