import type { MetaDescriptor } from "react-router";
import { siteConfig } from "#config";
import type { LanguageAddress } from "../site-source.ts";
import { addressMeta, previewMeta } from "../preview-meta.ts";

/** The data of a marketing page that the browser needs in addition to its HTML. */
export interface MarketingPage {
  path: string;
  title: string;
  description: string;
  /** Path of the image that a link preview shows. */
  image: string;
  /** In all languages, if there are several. */
  addresses?: readonly LanguageAddress[];
}

export function marketingMeta(page: MarketingPage, origin: string): MetaDescriptor[] {
  return [
    { title: page.title },
    { name: "description", content: page.description },
    ...addressMeta(origin, page.path, page.addresses),
    { property: "og:site_name", content: siteConfig.name },
    ...previewMeta({ ...page, type: "website", alt: page.title, origin }),
    { tagName: "link", rel: "manifest", href: "/site.webmanifest" },
    // The header's colour in each theme (`--color-bg`).
    { name: "theme-color", content: "#ffffff", media: "(prefers-color-scheme: light)" },
    { name: "theme-color", content: "#071518", media: "(prefers-color-scheme: dark)" },
  ];
}
