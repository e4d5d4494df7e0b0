/**
 * Changes that may answer searches which found nothing, or whose hits no one opened. Pure: index and searches in, proposals out.
 *
 *     "kubernets" · 3 readers then found a page with "kubernetes"  → synonym: kubernets, kubernetes
 *     "terafform" · a known word is "terraform"                    → synonym: terafform, terraform
 *     "invoices"  · 4 readers then opened /docs/faq                → redirect to /docs/faq
 *     "carbon footprint" · nothing is like it                      → a page to write
 */
import { openIndex, type OpenedIndex } from "#search/index.ts";
import { createNearWords, type NearWords, wordsOf } from "./near-words.ts";

export interface MissedSearch {
  query: string;
  count: number;
  /** Milliseconds since 1970. */
  lastDay: number;
  outcome: "nothing" | "unopened";
}

interface NextStep {
  query: string;
  /** The words with which readers found the page; null if they opened it without a search. */
  next: string | null;
  path: string;
  readers: number;
}

export interface ProposalRequest {
  kind: "proposals";
  /** The bytes of the index file. */
  bytes: Uint8Array;
  missed: readonly MissedSearch[];
  /** Most readers first. */
  steps: readonly NextStep[];
}

export type Proposal =
  | { kind: "synonym"; words: string[]; evidence: string }
  | { kind: "redirect"; query: string; path: string; evidence: string }
  | { kind: "page"; title: string; evidence: string };

export interface ProposedRow extends MissedSearch {
  alike: string[];
  proposals: Proposal[];
}

/** Groups that get proposals, most frequent first. */
export const MAX_GROUPS = 200;
const MAX_ALIKE = 5;
const MAX_PROPOSALS = 4;
/** A longer text is not a word for something; actions accept at most 80 characters. */
const MAX_SYNONYM_LENGTH = 60;
/** Words of a search that are compared with those of the index. */
const MAX_UNKNOWN = 3;
/** As in a page's front matter. */
const MAX_TITLE_LENGTH = 60;

export function proposeChanges({ bytes, missed, steps }: ProposalRequest): ProposedRow[] {
  const index = openIndex(bytes);
  const near = createNearWords(index);
  const pages = pagesOf(index);
  const known = steps.filter(({ path }) => pages.has(path));
  return groupAlike(missed)
    .slice(0, MAX_GROUPS)
    .map((row) => {
      const spellings = new Set([row.query, ...row.alike]);
      const own = known.filter(({ query }) => spellings.has(query));
      const found = [
        ...synonymsFromSteps(row, own, near),
        ...nearSynonyms(row, near),
        ...redirects(row, own),
      ];
      const proposals = distinct(row.outcome === "nothing" ? found : redirectsFirst(found));
      return { ...row, proposals: [...proposals.slice(0, MAX_PROPOSALS - 1), pageToWrite(row)] };
    });
}

/** Searches with the same words, whatever their order, accents and signs: "Cache-Layer", "layer cache". */
function groupAlike(missed: readonly MissedSearch[]): (MissedSearch & { alike: string[] })[] {
  const groups = Map.groupBy(missed, ({ query }) => wordsOf(query).toSorted().join(" ") || query);
  return [...groups.values()]
    .map((searches) => {
      const [first, ...others] = searches.toSorted((one, other) => other.count - one.count);
      return (
        first && {
          ...first,
          alike: others.slice(0, MAX_ALIKE).map(({ query }) => query),
          count: searches.reduce((sum, { count }) => sum + count, 0),
          lastDay: Math.max(...searches.map(({ lastDay }) => lastDay)),
        }
      );
    })
    .filter((row) => row !== undefined)
    .sort((one, other) => other.count - one.count || (one.query < other.query ? -1 : 1));
}

/** The words that readers exchanged for others, when these led to a page. */
function synonymsFromSteps({ query }: MissedSearch, steps: readonly NextStep[], near: NearWords): Proposal[] {
  const words = wordsOf(query);
  return steps.flatMap(({ next, readers }) => {
    if (next === null) return [];
    const others = wordsOf(next);
    const left = words.filter((word) => !others.includes(word)).join(" ");
    const right = others.filter((word) => !words.includes(word)).join(" ");
    if (!isPhrase(left) || !isPhrase(right) || near.areSynonyms(left, right)) return [];
    const evidence = `${readers} readers then searched for “${next}” and opened a hit.`;
    return [{ kind: "synonym", words: [left, right], evidence } as const];
  });
}

const isPhrase = (words: string) => words !== "" && words.length <= MAX_SYNONYM_LENGTH;

/** Words that the index does not have, each with the most similar word that it has. */
function nearSynonyms({ query }: MissedSearch, near: NearWords): Proposal[] {
  const unknown = wordsOf(query).filter((word) => !near.has(word));
  return unknown.slice(0, MAX_UNKNOWN).flatMap((word): Proposal[] => {
    const found = near.find(word);
    if (!found || word.length > MAX_SYNONYM_LENGTH) return [];
    const { letters, sections, means } = found;
    const differ = `${letters === 1 ? "1 letter differs" : `${letters} letters differ`} from “${found.word}”`;
    return means.length > 0
      ? [
          {
            kind: "synonym",
            words: [word, ...means],
            evidence: `${differ}, whose meaning is in content/concepts.yaml.`,
          },
        ]
      : [
          {
            kind: "synonym",
            words: [word, found.word],
            evidence: `${differ}, a word of ${sections === 1 ? "1 section" : `${sections} sections`}.`,
          },
        ];
  });
}

function redirects({ query }: MissedSearch, steps: readonly NextStep[]): Proposal[] {
  return steps.map(({ path, next, readers }) => ({
    kind: "redirect",
    query,
    path,
    evidence:
      next === null
        ? `${readers} readers then opened this page.`
        : `${readers} readers then found this page with “${next}”.`,
  }));
}

/** A search with hits has words that the index knows: its readers miss a page, not a word. */
const redirectsFirst = (proposals: readonly Proposal[]) =>
  proposals.toSorted((one, other) => Number(other.kind === "redirect") - Number(one.kind === "redirect"));

function distinct(proposals: readonly Proposal[]): Proposal[] {
  const keyOf = (each: Proposal) =>
    each.kind === "synonym" ? each.words.join("\n") : each.kind === "redirect" ? each.path : each.title;
  return [...new Map(proposals.toReversed().map((each) => [keyOf(each), each])).values()].toReversed();
}

/** The last resort: a title without anything but letters, digits and spaces, because it is part of a command. */
function pageToWrite({ query, outcome }: MissedSearch): Proposal {
  const title = wordsOf(query).join(" ").slice(0, MAX_TITLE_LENGTH).trim();
  return {
    kind: "page",
    title: title.charAt(0).toUpperCase() + title.slice(1),
    evidence:
      outcome === "nothing" ? "No page has these words." : "Pages have these words, but no one opened a hit.",
  };
}

function pagesOf(index: OpenedIndex): Set<string> {
  const paths = new Set<string>();
  for (let id = 0; id < index.documentCount; id++) {
    const { url } = index.document(id);
    const address = typeof url === "string" ? URL.parse(url) : null;
    if (address) paths.add(address.pathname);
  }
  return paths;
}
