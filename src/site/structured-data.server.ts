/**
 * A page's structured data for search engines: JSON-LD (https://www.w3.org/TR/json-ld11/) in the vocabulary
 * of https://schema.org. It is part of the static HTML, so none of it is in the browser's code. Data blocks
 * never run.
 */
import { siteConfig } from "#config";
import type { Crumb, SitePage } from "./site-source.ts";

/** A schema.org thing; absent values are left out. */
export interface Thing {
  "@type": string;
  [property: string]: unknown;
}

/** The script element with one or more things. */
export function jsonLd(...things: Thing[]): string {
  const [only] = things;
  const data = { "@context": "https://schema.org", ...(things.length === 1 ? only : { "@graph": things }) };
  // "</script>" inside a text must not end the element.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

/** The trail to a page; steps without their own page are left out, the last is the page itself. */
export function breadcrumbList(crumbs: Crumb[], origin: string): Thing {
  const steps = crumbs.filter(({ to }, i) => to !== undefined || i === crumbs.length - 1);
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map(({ label, to }, i) => ({
      "@type": "ListItem",
      position: i + 1,
      name: label,
      ...(to && { item: origin + to }),
    })),
  };
}

/**
 * A documentation page; `image` is the path of its preview image. Its address and description are in the head
 * and are not repeated, because every byte counts in each page.
 */
export function docsPageData(page: SitePage, image: string, origin: string): string {
  const article: Thing = {
    "@type": "TechArticle",
    headline: page.title,
    image: origin + image,
    ...(page.updated && { dateModified: page.updated }),
  };
  // A page at the top of the tree has no trail.
  if (page.crumbs.length < 2) return jsonLd(article);
  return jsonLd(article, breadcrumbList(page.crumbs, origin));
}

/** The publisher of the site. */
export function organization(origin: string): Thing {
  const addresses = siteConfig.social.map(({ to }) => to).filter((to) => to.startsWith("https:"));
  return {
    "@type": "Organization",
    name: siteConfig.owner,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
    ...(addresses.length > 0 && { sameAs: addresses }),
  };
}
