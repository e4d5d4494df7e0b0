import type { MetaDescriptor } from "react-router";
import type { LanguageAddress } from "./site-source.ts";

interface Preview {
  type: "article" | "website";
  path: string;
  title: string;
  description: string;
  /** Path of an image of 1200 x 630, and its text. */
  image: string;
  alt: string;
  origin: string;
}

/** The preview of links to the page on other sites: Open Graph (https://ogp.me) and Twitter cards. */
export function previewMeta({
  type,
  path,
  title,
  description,
  image,
  alt,
  origin,
}: Preview): MetaDescriptor[] {
  return [
    { property: "og:type", content: type },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: origin + path },
    { property: "og:image", content: origin + image },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: origin + image },
  ];
}

/**
 * The page's canonical address, and the addresses of the page in other languages
 * (https://developers.google.com/search/docs/specialty/international/localized-versions).
 * @param addresses of `addressesOf`
 */
export function addressMeta(
  origin: string,
  path: string,
  addresses: readonly LanguageAddress[] = [],
): MetaDescriptor[] {
  return [
    { tagName: "link", rel: "canonical", href: origin + path },
    ...addresses.map(({ language, href }) => ({
      tagName: "link",
      rel: "alternate",
      hrefLang: language,
      href,
    })),
  ];
}
