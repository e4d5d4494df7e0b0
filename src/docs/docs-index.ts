import { siteConfig } from "#config";
import {
  buildIndex,
  germanForms,
  type IndexSettings,
  type Inflect,
  inflectionsOf,
  stopWordsOf,
} from "#search/index.ts";
import { currentPath, type Edition } from "./content/editions/edition.ts";
import { type Navigation, pageOrder, sectionOf } from "./content/navigation/navigation.ts";
import type { SynonymGroups } from "./content/words/synonyms.ts";
import type { Page } from "./content/types.ts";
import type { KnownQuestions } from "./questions/build-meaning.ts";
import { recordsFromPage } from "./records/records-from-page.ts";
import type { SearchRecord } from "./records/types.ts";
import { INDEXED_ADDRESS, type SiteAddress } from "./address/site-address.ts";

/** Settings of the index `docs`; the heaviest attribute first. */
export function docsIndexSettings(
  synonyms: SynonymGroups,
  languages: readonly string[] = [siteConfig.search.language],
): Partial<IndexSettings> {
  const levels = ["hierarchy_lvl0", "hierarchy_lvl1", "hierarchy_lvl2", "hierarchy_lvl3", "hierarchy_lvl4"];
  return {
    primaryKey: "objectID",
    searchableAttributes: ["hierarchy_lvl1", "keywords", ...levels.slice(2), "hierarchy_lvl0", "content"],
    filterableAttributes: ["hierarchy_lvl0", "hierarchy_lvl1", "type", "for"],
    sortableAttributes: ["level", "position"],
    synonyms: synonymTable(synonyms),
    concepts: conceptTable(synonyms),
    stopWords: siteConfig.search.stopWords ?? languages.flatMap(stopWordsOf),
    hierarchy: { url: "url", levels, content: "content", names: "keywords" },
  };
}

/** Groups of synonyms → each word with all other words of its groups. */
function synonymTable(groups: SynonymGroups): { [word: string]: string[] } {
  const table = new Map<string, Set<string>>();
  for (const group of groups) {
    if ("typed" in group) continue;
    for (const word of group) {
      const others = table.get(word) ?? new Set();
      for (const other of group) if (other !== word) others.add(other);
      table.set(word, others);
    }
  }
  return Object.fromEntries([...table].map(([word, others]) => [word, [...others]]));
}

/** Each word that readers type → the pages' words for what it means. */
function conceptTable(groups: SynonymGroups): { [word: string]: string[] } {
  const concepts = groups.flatMap((group) => ("typed" in group ? [group] : []));
  return Object.fromEntries(concepts.flatMap(({ typed, means }) => typed.map((word) => [word, means])));
}

/**
 * Records in the order of the tree, so that the first page of a section comes first.
 * @param address by default a stand-in, which every server replaces by its own address
 */
export function docsRecords(
  pages: Page[],
  navigation: Navigation,
  address: SiteAddress = INDEXED_ADDRESS,
): SearchRecord[] {
  const places = new Map(pageOrder(navigation).map(({ to }, place) => [to, place]));
  const placeOf = (page: Page) => places.get(page.path) ?? places.size;
  return [...pages]
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((page) => nameAfterPart(page, navigation))
    .flatMap((page) => recordsFromPage(page, { address, section: sectionOf(navigation, page.path) }));
}

/**
 * The page that leads a section of the tree also answers to the name of its part: `runners` in the section "CI runners".
 * The index itself adds the section's name.
 */
function nameAfterPart(page: Page, { sections }: Navigation): Page {
  const led = sections.find(({ links }) => links[0]?.to === page.path);
  const name = page.part.replaceAll("-", " ");
  if (!led || page.part === "all" || page.part === "none" || name === led.name.toLowerCase()) return page;
  return { ...page, keywords: [...page.keywords, name] };
}

/** The questions that pages answer by what they say themselves. */
export function knownQuestions(pages: readonly Page[]): KnownQuestions[] {
  return pages.map(({ path, questions }) => ({ path, questions }));
}

/** @returns the bytes of the index file */
export function buildDocsIndex(
  records: SearchRecord[],
  synonyms: SynonymGroups,
  languages?: readonly string[],
): Uint8Array {
  return buildIndex(
    records.map((record) => ({ ...record })),
    docsIndexSettings(synonyms, languages),
  );
}

/** The index of a translation: its pages, and those that it lacks in the site's language. */
export function buildTranslatedIndex(
  edition: Edition,
  {
    pages,
    navigation,
    synonyms,
  }: { pages: readonly Page[]; navigation: Navigation; synonyms: SynonymGroups },
): Uint8Array {
  const translated = new Set(edition.pages.map(({ path }) => currentPath(path)));
  const others = pages.filter(({ path }) => !translated.has(path));
  const records = [...docsRecords(edition.pages, edition.navigation), ...docsRecords(others, navigation)];
  const groups = [...synonyms, ...edition.synonyms];
  return buildDocsIndex(records, groups, [siteConfig.search.language, edition.language]);
}

const INFLECT: Readonly<Record<string, Inflect>> = { de: germanForms };

/** Finds other forms of a word of a language; without rules for it, as in English. */
export const inflectOf = (language: string): Inflect => INFLECT[language] ?? (() => inflectionsOf);
