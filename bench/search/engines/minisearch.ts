import MiniSearch, { type SearchOptions } from "minisearch";
import { toSections } from "../corpus.ts";
import type { Engine } from "./engine.ts";

const BOOSTS = { title: 5, page: 4, titles: 2, section: 1, text: 1 };

/** The best configuration found: all words first, then any; identifiers whole and in parts; typos by length. */
export const engine: Engine = {
  name: "MiniSearch",
  open(records) {
    const sections = toSections(records);
    const index = new MiniSearch({ fields: Object.keys(BOOSTS), idField: "id", processTerm: partsOf });
    index.addAll(sections.map((section, id) => ({ ...section, id })));
    const options: SearchOptions = {
      boost: BOOSTS,
      weights: { fuzzy: 0.3, prefix: 0.6 },
      maxFuzzy: 2,
      prefix: (_term, at, terms) => at === terms.length - 1,
      fuzzy: (term) => (term.length < 4 ? false : term.length < 9 ? 1 : 2),
      processTerm: (term) => term.toLowerCase(),
    };
    return {
      search(q, limit) {
        const hits = index.search(q, { ...options, combineWith: "AND" });
        if (hits.length < limit) {
          const seen = new Set(hits.map(({ id }) => id as unknown));
          hits.push(...index.search(q, options).filter(({ id }) => !seen.has(id)));
        }
        return hits.slice(0, limit).map(({ id }) => sections[Number(id)]!.url);
      },
      size: () => Buffer.byteLength(JSON.stringify(index)),
    };
  },
};

function partsOf(term: string): string | string[] {
  const parts = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|_+/u).filter((part) => part !== "");
  return parts.length > 1 ? [term, ...parts].map((part) => part.toLowerCase()) : term.toLowerCase();
}
