import { useEffect } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { useLate } from "../late/use-late.ts";
import { useWords } from "../use-words.ts";
import type { DocsSearch } from "./use-docs-search.ts";
import { hitId, type HitSelection } from "./use-hit-selection.ts";

interface SearchBoxProps {
  search: DocsSearch;
  selection: HitSelection;
}

/**
 * The search box of the documentation bar. The input is uncontrolled, so text typed before hydration stays.
 * Without JavaScript the form is a GET of `?q=`, which the server answers with results; with it, submitting
 * does nothing. The boot script handles the keys that focus it (`⌘K`, `Ctrl K`, `/`).
 */
export function SearchBox({ search, selection }: SearchBoxProps) {
  const { pathname } = useLocation();
  const { lang, t } = useWords();
  // One "not found" page serves all addresses.
  const isMissing = useRouteLoaderData("routes/docs-page") === undefined;
  const { inputRef, initialQuery, isPanelOpen, snapshot, onText, paste, clear } = search;
  const [SearchRecents, onFocus] = useRecents(search);
  const { activeIndex, onKeyDown } = selection;
  const hasList = isPanelOpen && snapshot.hits.length > 0;
  return (
    <form
      className="search"
      id="search"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> would be one more box around the form
      role="search"
      method="get"
      lang={lang}
      action={isMissing ? "/docs" : pathname}
      onSubmit={(event) => event.preventDefault()}
    >
      <label className="vh" htmlFor="q">
        {t("Search docs")}
      </label>
      <Icon name="search" />
      <input
        ref={inputRef}
        id="q"
        name="q"
        type="text"
        placeholder={t("Search docs...")}
        defaultValue={initialQuery}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? "hits" : undefined}
        aria-activedescendant={activeIndex < 0 ? undefined : hitId(activeIndex)}
        aria-keyshortcuts="Meta+K Control+K /"
        onFocus={onFocus}
        onPaste={({ clipboardData }) => {
          const text = clipboardData.getData("text");
          // A log line, or a page of a log.
          if (text.length > 60 || text.trim().includes("\n")) paste(text);
        }}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          // Intermediate text of an input method is not a query.
          if (!event.nativeEvent.isComposing) onText(event.currentTarget.value);
        }}
        onCompositionEnd={(event) => onText(event.currentTarget.value)}
      />
      <button className="search-clear" type="button" aria-label={t("Clear search query")} onClick={clear}>
        <Icon name="x" />
      </button>
      {/* CSS sets the text: the server does not know the platform. */}
      <kbd className="search-key" aria-hidden="true" />
      {SearchRecents && <SearchRecents search={search} />}
    </form>
  );
}

/** The component for recent searches, once it is requested and loaded, and the input's focus handler. */
function useRecents({ inputRef, warm }: DocsSearch) {
  const [SearchRecents, loadRecents] = useLate("Your recent searches", async () => {
    const { SearchRecents } = await import("../late/search-recents/search-recents.tsx");
    return SearchRecents;
  });
  const onFocus = () => {
    warm();
    if (hasRecents()) loadRecents();
  };
  // The input may have got the focus before this code loaded.
  useEffect(() => {
    if (document.activeElement === inputRef.current) setTimeout(onFocus);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  return [SearchRecents, onFocus] as const;
}

/** Whether there may be recent searches to fetch the code for. */
function hasRecents(): boolean {
  try {
    return "searches" in localStorage;
  } catch {
    return false;
  }
}
