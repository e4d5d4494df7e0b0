import type { MetaDescriptor } from "react-router";
import { siteConfig } from "#config";

/** What the browser needs to know of a marketing page besides its HTML. */
export interface MarketingPage {
  path: string;
  title: string;
  description: string;
}

export function marketingMeta(page: MarketingPage, origin: string): MetaDescriptor[] {
  const image = `${origin}/og-docs.png`;
  return [
    { title: page.title },
    { name: "description", content: page.description },
    { tagName: "link", rel: "canonical", href: `${origin}${page.path}` },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: siteConfig.name },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: `${origin}${page.path}` },
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: image },
    { tagName: "link", rel: "manifest", href: "/site.webmanifest" },
    // The header's colour in each theme (`--color-bg`).
    { name: "theme-color", content: "#ffffff", media: "(prefers-color-scheme: light)" },
    { name: "theme-color", content: "#071518", media: "(prefers-color-scheme: dark)" },
    ...(page.path === "/" ? [{ "script:ld+json": webSite(origin) }] : []),
  ];
}

/** https://schema.org/WebSite, with the documentation's search. */
function webSite(origin: string) {
  return {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: siteConfig.name,
    url: `${origin}/`,
    description: siteConfig.description,
    potentialAction: {
      "@type": "SearchAction",
      target: `${origin}/docs?q={search_term_string}`,
      "query-input": "required name=search_term_string",
    },
  };
}
