import { fillPlaceholders } from "#docs/content/placeholders.ts";
import type { Page } from "#docs/content/types.ts";
import { siteConfig } from "#config";
import { marketingPaths } from "../marketing/paths.ts";
import { securityText } from "./security-text.ts";

/**
 * Files for machines: every page's Markdown, `llms.txt`, `llms-full.txt`, `sitemap.xml`, `robots.txt`, and
 * others.
 */
export function textFiles(pages: Page[], origin: string): { name: string; text: string }[] {
  const markdown = pages.map((page) => ({ page, text: fillPlaceholders(markdownOf(page, origin), origin) }));
  return [
    ...markdown.map(({ page, text }) => ({ name: `${page.path.slice(1)}.md`, text })),
    { name: "llms.txt", text: llmsIndex(pages, origin) },
    { name: "llms-full.txt", text: markdown.map(({ text }) => text).join("\n\n---\n\n") },
    { name: "sitemap.xml", text: sitemap(pages, origin) },
    { name: ".well-known/security.txt", text: securityText(origin, new Date()) },
    { name: "site.webmanifest", text: webManifest() },
    { name: "robots.txt", text: `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n` },
  ];
}

function markdownOf(page: Page, origin: string): string {
  const preview =
    page.availability === "preview" ? "Preview: what this page describes does not run yet.\n" : "";
  return `${page.markdown.trim()}\n\n---\n\n${preview}Source: ${origin}${page.path}\n`;
}

/** https://llmstxt.org: a heading, a quotation, then a list of links. */
function llmsIndex(pages: Page[], origin: string): string {
  const lines = pages.map((page) => `- [${page.title}](${origin}${page.path}.md): ${page.description}`);
  const text = `# ${siteConfig.name}\n\n> ${siteConfig.description}\n\n## Documentation\n\n${lines.join("\n")}\n`;
  return fillPlaceholders(text, origin);
}

function sitemap(pages: Page[], origin: string): string {
  const entry = (path: string, updated: string | null) =>
    `  <url><loc>${origin}${path}</loc>${updated ? `<lastmod>${updated}</lastmod>` : ""}</url>`;
  const entries = [
    entry("/", null),
    ...marketingPaths.map((path) => entry(path, null)),
    ...pages.map((page) => entry(page.path, page.updated)),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
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
