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
  ];
}
