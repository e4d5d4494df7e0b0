/** When a hit is opened, stores the search, and marks the passage on the page that it leads to. */
import { hitPath } from "../../search/hit-text.ts";
import type { DocsHit } from "../../search/protocol.ts";
import { keepSearch } from "../search-recents/recent-searches.ts";
import { findTexts } from "./find-texts.ts";
import { markFound } from "./mark-found.ts";
import { passagesOf, textsOfDirective, wordsOf } from "../../anywhere/passages.ts";

/** A page that arrives later than this gets no marks. */
const LONGEST_WAIT_MS = 10_000;

export function onFound(query: string, hit: DocsHit, isNewTab: boolean): void {
  keepSearch(query);
  if (isNewTab) return;
  const { pathname, hash } = new URL(hitPath(hit.url), location.origin);
  whenShown(pathname, () => show([passagesOf(hit), wordsOf(hit)], hash));
}

/**
 * Marks the address's texts in place of the browser, whose marks cannot be removed; a browser that does not support such
 * addresses gets the page at its anchor and a clean address.
 */
export function markFromAddress(address: string): void {
  const { hash } = new URL(address);
  const anchor = hash.split(":~:")[0] ?? "";
  if (location.hash.includes(":~:")) {
    history.replaceState(history.state, "", location.pathname + location.search + anchor);
    document.getElementById(anchor.slice(1))?.scrollIntoView();
  }
  whenShown(location.pathname, () => show([textsOfDirective(address)], anchor));
}

/** Marks the first of the choices that has texts on the page. */
function show(choices: string[][], hash: string): void {
  const root = document.querySelector(".doc-page article");
  if (!root) return;
  const from = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  const found = choices.map((texts) => ({ texts, ranges: findTexts(root, texts, from) }));
  const best = found.find(({ ranges }) => ranges.length > 0);
  if (!best) return;
  markFound(best);
  const { ranges } = best;
  const box = ranges[0]?.getBoundingClientRect();
  const element = ranges[0]?.startContainer.parentElement;
  if (box && (box.top < 120 || box.bottom > innerHeight)) element?.scrollIntoView({ block: "center" });
}

/** Calls back when the page is shown and scrolled to its anchor, unless the reader navigates away in the meantime. */
function whenShown(pathname: string, act: () => void): void {
  const isShown = () =>
    location.pathname === pathname && document.querySelector(".doc-page:not([hidden]) article") !== null;
  const actNow = () => requestAnimationFrame(() => isShown() && act());
  if (isShown()) return void actNow();
  const observer = new MutationObserver(() => {
    if (!isShown()) return;
    stop();
    actNow();
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const timer = setTimeout(stop, LONGEST_WAIT_MS);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["hidden"] });
}
