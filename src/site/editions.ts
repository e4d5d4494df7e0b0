import { siteConfig } from "#config";

/**
 * The addresses of a page in all languages, its own included, for `hreflang`; `x-default` is this site.
 * @returns nothing for a site in one language
 */
export function addressesOf(
  origin: string,
  path: string,
  { editions, search }: Pick<typeof siteConfig, "editions" | "search"> = siteConfig,
): { language: string; href: string }[] {
  if (editions.length === 0) return [];
  return [
    { language: "x-default", href: origin + path },
    { language: search.language, href: origin + path },
    ...editions.map((edition) => ({ language: edition.language, href: edition.origin + path })),
  ];
}
