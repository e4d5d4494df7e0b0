import { useCallback, useEffect, useState, type KeyboardEvent } from "react";
import { hitPath } from "./hit-text.ts";
import type { DocsHit } from "./protocol.ts";
import type { DocsSearch } from "./use-docs-search.ts";

export interface HitSelection {
  /** Index of the selected hit; -1 before the first arrow key. */
  activeIndex: number;
  select(index: number): void;
  /** Whether the section of the selected hit is shown next to the list. */
  isPreviewing: boolean;
  setPreviewing(isPreviewing: boolean): void;
  /** Called when a hit is opened. */
  onOpen(hit: DocsHit, isNewTab: boolean): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** The id of a hit's option, for `aria-activedescendant`. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/**
 * Arrows select and wrap; Enter opens the selected hit, with ⌘ or Ctrl in a new tab; Esc clears, and a second
 * Esc leaves the box; → at the end of the text previews the selected hit. Enter without a selection submits the form, which does
 * nothing. The focus stays in the input. Keys that belong to an input method are ignored.
 */
export function useHitSelection(search: DocsSearch): HitSelection {
  const { hits, answeredQuery } = search.snapshot;
  // The first hit changes with the query and the filters, but not after "Show more results".
  const [first] = hits;
  const [selected, setSelected] = useState({ first, index: -1 });
  const activeIndex = selected.first === first && selected.index < hits.length ? selected.index : -1;

  const [isPreviewing, setPreviewing] = useState(false);
  const select = useCallback((index: number) => setSelected({ first, index }), [first]);

  // A panel that was closed reopens without a selection and a preview, even for the same query.
  if (answeredQuery === null && (selected.index >= 0 || isPreviewing) && !search.isPanelOpen) {
    select(-1);
    setPreviewing(false);
  }

  function onOpen(hit: DocsHit, isNewTab: boolean): void {
    withFound(({ onFound }) => onFound(answeredQuery ?? "", hit, isNewTab));
  }

  function open(index: number, isNewTab: boolean): void {
    const hit = hits[index];
    if (!hit) return;
    // The hit's link knows whether the router follows it, and calls `onOpen`.
    if (!isNewTab) return document.getElementById(hitId(index))?.click();
    onOpen(hit, true);
    window.open(hitPath(hit.url), "_blank", "noopener");
  }

  useEffect(() => {
    // A browser that marks the address's texts hides them from scripts, except in the navigation entry.
    const [opened] = performance.getEntriesByType("navigation");
    if (opened?.name.includes(":~:text=")) withFound(({ markFromAddress }) => markFromAddress(opened.name));
  }, []);

  useEffect(() => {
    document.getElementById(hitId(activeIndex))?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);

  useEscape(search);

  return {
    activeIndex,
    select,
    isPreviewing,
    setPreviewing,
    onOpen,
    onKeyDown(event) {
      // keyCode 229: Safari ends the composition before it sends the key that ended it.
      if (event.nativeEvent.isComposing || event.keyCode === 229) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && hits.length > 0 && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        const from = activeIndex < 0 && step < 0 ? 0 : activeIndex;
        select((from + step + hits.length) % hits.length);
      } else if (event.key === "Enter" && activeIndex >= 0) {
        event.preventDefault();
        open(activeIndex, event.metaKey || event.ctrlKey);
      } else if (event.key === "ArrowRight" && activeIndex >= 0 && isAtEnd(event.currentTarget)) {
        event.preventDefault();
        setPreviewing(true);
      } else if (event.key === "Escape") {
        event.preventDefault();
        if (event.currentTarget.value === "") event.currentTarget.blur();
        else search.clear();
      }
    },
  };
}

function useEscape(search: DocsSearch): void {
  useEffect(() => {
    if (!search.isPanelOpen) return;
    // Esc on a hit or a button of the panel; the input's own handler has prevented the default.
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) search.clear();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [search]);
}

const isAtEnd = ({ selectionEnd, value }: HTMLInputElement) => selectionEnd === value.length;

/** If this code cannot be loaded, pages still open, but no search is stored and no passage marked. */
function withFound(act: (found: typeof import("../late/search-found/search-found.ts")) => void): void {
  import("../late/search-found/search-found.ts").then(act, () => {});
}
