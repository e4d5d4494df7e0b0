import { coversPath } from "../contract/attribute-paths.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { SearchError } from "../contract/types.ts";

/** Which searchable attributes count for a query, by number. */
export interface AttributeLimits {
  /** Equal keys = equal limits. */
  key: string;
  isSearched: (attribute: number) => boolean;
  /** Only words without typos count there. */
  isTypoFree: (attribute: number) => boolean;
}

/**
 * null if nothing is limited, which is the rule and costs nothing. Throws `SearchError` with code
 * `invalid_search_attributes_to_search_on` for an attribute that is not searchable.
 */
export function attributeLimits(
  index: OpenedIndex,
  searchOn: readonly string[] | undefined,
): AttributeLimits | null {
  const { attributes, settings } = index;
  const typoFree = settings.typo.disabledOnAttributes;
  if (!searchOn && typoFree.length === 0) return null;
  for (const name of searchOn ?? []) if (!isSearchable(index, name)) throw notSearchable(index, name);
  // Asked for every posting, so each attribute is compared with the names once.
  const isSearched = attributes.map((name) => !searchOn || coversPath(searchOn, name));
  const isTypoFree = attributes.map((name) => coversPath(typoFree, name));
  return {
    key: isSearched.map(Number).join(""),
    isSearched: (attribute) => isSearched[attribute]!,
    isTypoFree: (attribute) => isTypoFree[attribute]!,
  };
}

function isSearchable(index: OpenedIndex, name: string): boolean {
  const named = index.settings.searchableAttributes.filter((one) => one !== "*");
  if (name === "*" || coversPath(named, name)) return true;
  return index.attributes.some((attribute) => coversPath([name], attribute));
}

function notSearchable(index: OpenedIndex, name: string): SearchError {
  const names = index.attributes.join(", ");
  return new SearchError(
    "invalid_search_attributes_to_search_on",
    `Attribute \`${name}\` is not searchable. Available searchable attributes are: \`${names}\`.`,
  );
}
