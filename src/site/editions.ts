import { siteConfig } from "#config";
import type { LanguageAddress, PageLanguage } from "./site-source.ts";

/**
 * The addresses of a page in all languages, its own included, for `hreflang`; `x-default` is the page in the site's language.
 * @param translations the languages of this site that have the page, if there are several
 * @returns nothing for a page in one language
 */
export function addressesOf(
  origin: string,
  path: string,
  translations: readonly Pick<PageLanguage, "language" | "path">[] = [],
  { editions, search }: Pick<typeof siteConfig, "editions" | "search"> = siteConfig,
): LanguageAddress[] {
  if (editions.length + translations.length === 0) return [];
  const main = translations.find(({ language }) => language === search.language)?.path ?? path;
  return [
    { language: "x-default", href: origin + main },
    { language: search.language, href: origin + main },
    ...translations
      .filter(({ language }) => language !== search.language)
      .map((translation) => ({ language: translation.language, href: origin + translation.path })),
    ...editions.map((edition) => ({ language: edition.language, href: edition.origin + main })),
  ];
}

/** For the data of a page, which has no key for what it lacks. The browser does not need the rest of this file. */
export function pageAddresses(...page: Parameters<typeof addressesOf>): { addresses?: LanguageAddress[] } {
  const addresses = addressesOf(...page);
  return addresses.length > 0 ? { addresses } : {};
}
