/**
 * 1. A site in one language names no others.
 * 2. A site with editions names itself, each edition, and itself for all other languages, at the page's own path.
 * 3. So does a page that this site has in other languages, from each of them.
 */
import { expect, test } from "vitest";
import { siteConfig } from "#config";
import { addressesOf } from "./editions.ts";

const origin = "https://docs.example.com";

test("1. one language", () =>
  expect(addressesOf(origin, "/docs", [], { ...siteConfig, editions: [] })).toEqual([]));

test("2. several", () => {
  const editions = [{ language: "de", origin: "https://de.example.com" }];
  const addresses = addressesOf(origin, "/docs/faq", [], { ...siteConfig, editions });
  expect(addresses.map(({ language, href }) => `${language} ${href}`)).toEqual([
    `x-default ${origin}/docs/faq`,
    `en ${origin}/docs/faq`,
    "de https://de.example.com/docs/faq",
  ]);
});

test("3. a translation of this site", () => {
  const translations = [
    { language: "en", path: "/docs/faq" },
    { language: "de", path: "/de/docs/faq" },
  ];
  for (const { path } of translations) {
    const addresses = addressesOf(origin, path, translations, { ...siteConfig, editions: [] });
    expect(addresses.map(({ language, href }) => `${language} ${href}`)).toEqual([
      `x-default ${origin}/docs/faq`,
      `en ${origin}/docs/faq`,
      `de ${origin}/de/docs/faq`,
    ]);
  }
});
