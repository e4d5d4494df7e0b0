import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from "react";
import { useLocation, useNavigation } from "react-router";
import { track } from "../../tracked-events.ts";
import { fetchForReader } from "../reader-setup.ts";
import { noteModel } from "./answer-model.ts";
import { type InitialResults, MAX_QUERY_LENGTH } from "./protocol.ts";
import { filterOf, readRefinement, type Refinement, UNREFINED, writeSearch } from "./refinement.ts";
import { reportSearchError } from "./report-search-error.ts";
import { resultsView, type ResultsView } from "./results-view.ts";
import { createSearchClient, type SearchProvider } from "./search-client.ts";
import { createSearchStore, type SearchSnapshot, type SearchStore } from "./search-store.ts";
import { usePanelScroll } from "./use-panel-scroll.ts";

/** From the last keystroke to the query. */
const DEBOUNCE_MS = 100;

export interface DocsSearchOptions {
  indexUid: string;
  /** The query that the page was opened with (`?q=`); "" if there is none. */
  initialQuery: string;
  /** Its filters, without unknown ones. */
  initialRefinement: Refinement;
  /** Its results, if the server has them. */
  initialResults: InitialResults | null;
  /** Another search service; the default is this site's own. */
  createProvider?: () => SearchProvider;
}

export interface DocsSearch {
  /** The search text; the panel is open if and only if it is not empty. Follows typing after 100 ms. */
  query: string;
  isPanelOpen: boolean;
  refinement: Refinement;
  provider: SearchProvider;
  snapshot: SearchSnapshot;
  view: ResultsView;
  initialQuery: string;
  inputRef: RefObject<HTMLInputElement | null>;
  /** The input's text has changed. */
  onText(text: string): void;
  /** Empties the input and the query, and moves or keeps the focus in the input. */
  clear(): void;
  refine(refinement: Refinement): void;
  showMore(): void;
  retry(): void;
  /** A pasted text that may be an error; null before. Each paste gives a new object. */
  pasted: { text: string } | null;
  paste(text: string): void;
  /** Prepares a first search; called when the input gets the focus. */
  warm(): void;
}

/** A query and who set it: the input follows only the page's. Every new object is a new event. */
interface Asked {
  query: string;
  refinement: Refinement;
  by: "reader" | "page";
  /** The key of a pending navigation: its end does not clear text that was typed while waiting. */
  awaiting?: string | undefined;
}

/**
 * The search of the docs layout: input, query, results and address. One instance lives as long as the layout.
 *
 *   typing ─100 ms─▶ query ─▶ store ─▶ snapshot ─▶ panel        query, filters ─▶ ?q= (history.replaceState)
 *   end of a navigation ─▶ query := the new address's ?q=, usually empty ─▶ input
 *                          (text that was typed after it began stays)
 */
export function useDocsSearch(options: DocsSearchOptions): DocsSearch {
  const { initialQuery, initialRefinement, initialResults } = options;
  const [{ provider, store }] = useState(() => openSearch(options));
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  const [asked, setAsked] = useState<Asked>({
    query: initialQuery,
    refinement: initialRefinement,
    by: "page",
  });
  const [pasted, setPasted] = useState<DocsSearch["pasted"]>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const debounce = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPanelOpen = asked.query !== "";
  const rememberScroll = usePanelScroll(isPanelOpen, asked.by === "reader");

  const followAddress = (search: string) =>
    setAsked({ query: queryFromSearch(search), refinement: readRefinement(search), by: "page" });
  const awaiting = useNavigationEnd((search, key) => {
    // A new object, so that the search is also written to the new address.
    if (asked.awaiting === key) setAsked({ ...asked });
    else followAddress(search);
  });

  useEffect(() => {
    if (initialResults) provider.seed(initialResults);
  }, [initialResults, provider]);

  useEffect(() => {
    if (asked.query) store.search(asked.query, filterOf(asked.refinement));
    else store.clear();
    writeToAddress(asked);
  }, [asked, store]);

  const synced = useRef<Asked>(null);
  useEffect(() => {
    return () => {
      clearTimeout(debounce.current);
      // React mounts twice in development: the text that was waiting is then read from the input again.
      synced.current = null;
      store.clear();
    };
  }, [store]);

  const stopWaiting = () => {
    clearTimeout(debounce.current);
    debounce.current = undefined;
  };

  const ask = (query: string) => {
    stopWaiting();
    if (query === asked.query) return;
    if (!isPanelOpen) rememberScroll();
    // The filters stay while the panel is open.
    setAsked({ query, refinement: query ? asked.refinement : UNREFINED, by: "reader", awaiting });
  };

  const onText = (text: string) => {
    const query = queryFromText(text);
    stopWaiting();
    // Emptying the box closes the panel immediately.
    if (query === "") ask("");
    else debounce.current = setTimeout(ask, DEBOUNCE_MS, query);
  };

  useLayoutEffect(() => {
    const input = inputRef.current;
    if (!input || synced.current === asked) return;
    const isFirst = synced.current === null;
    synced.current = asked;
    if (isFirst) {
      // The reader may have typed before this code loaded: the input is more up to date than the state. It waits like other
      // typing: whoever types at once after Ctrl K may have come to the first letter only.
      if (input.value !== asked.query) onText(input.value);
      // Only the server renders results: a page of the offline copy is the same for every query.
      else if (asked.query !== queryFromSearch(window.location.search)) followAddress(window.location.search);
    } else if (asked.by === "page" && !debounce.current) {
      // Text that is typed while the page arrives is a search on that page.
      input.value = asked.query;
    }
  });

  return {
    query: asked.query,
    isPanelOpen,
    refinement: asked.refinement,
    provider,
    snapshot,
    view: resultsView(snapshot),
    initialQuery,
    inputRef,
    onText,
    clear() {
      if (inputRef.current) inputRef.current.value = "";
      ask("");
      inputRef.current?.focus({ preventScroll: true });
    },
    refine: (refinement) => setAsked({ ...asked, refinement, by: "reader" }),
    showMore() {
      store.searchMore();
      // The button disappears when there are no more hits; the focus must not be lost with it.
      inputRef.current?.focus({ preventScroll: true });
    },
    retry() {
      store.retry();
      inputRef.current?.focus({ preventScroll: true });
    },
    pasted,
    paste: (text) => setPasted({ text }),
    warm: () => store.warm(),
  };
}

const createOwnProvider = () =>
  createSearchClient({ fetch: async (url, init) => noteModel(await fetchForReader(url, init)) });

function openSearch(options: DocsSearchOptions): { provider: SearchProvider; store: SearchStore } {
  const {
    indexUid,
    initialQuery,
    initialRefinement,
    initialResults,
    createProvider = createOwnProvider,
  } = options;
  const provider = createProvider();
  if (initialResults) provider.seed(initialResults);
  // Otherwise a reader without JavaScript would wait for results that nothing fetches.
  const isMissing = initialQuery !== "" && initialResults === null;
  const store = createSearchStore({
    provider,
    initialQuery,
    initialFilter: filterOf(initialRefinement),
    ...(isMissing ? { initialError: new Error("The page was sent without its search results.") } : {}),
    parameters: { indexUid },
    onError: reportSearchError,
    onAnswer: (answer) => track("answer", answer),
  });
  return { provider, store };
}

/**
 * Calls back when a navigation has ended: its state has returned to idle, or the location has changed while
 * the state stayed idle, as with a link to an anchor on the same page. Called while rendering, so that the
 * new page and the closed panel are one commit, and the anchor that is scrolled to is not hidden. Returns the key of the
 * navigation's target.
 */
function useNavigationEnd(onEnd: (search: string, key: string) => void): string | undefined {
  const { key, search } = useLocation();
  const { state, location } = useNavigation();
  const [seen, setSeen] = useState({ key, state });
  if (seen.key !== key || seen.state !== state) {
    setSeen({ key, state });
    if (state === "idle") onEnd(search, key);
  }
  return location?.key;
}

function queryFromSearch(search: string): string {
  return queryFromText(new URLSearchParams(search).get("q") ?? "").trim();
}

/** A blank text is not a query; otherwise blanks stay, because they end a word. */
function queryFromText(text: string): string {
  return text.trim() === "" ? "" : text.slice(0, MAX_QUERY_LENGTH);
}

/** Keeps `?q=` and the filters up to date without a navigation; the router's state in the history entry stays. */
function writeToAddress({ query, refinement }: Asked): void {
  const url = new URL(window.location.href);
  writeSearch(url.searchParams, query, refinement);
  if (url.href === window.location.href) return;
  try {
    window.history.replaceState(window.history.state, "", url);
  } catch {
    // Safari allows a hundred of these in half a minute; the address then lags until the next keystroke.
  }
}
