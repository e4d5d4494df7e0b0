import { useEffect, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { hitPath } from "./hit-text.ts";
import type { DocsSearch } from "./use-docs-search.ts";

export interface HitSelection {
  /** Index of the selected hit; -1 before the first arrow key. */
  activeIndex: number;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** The id of a hit's option, for `aria-activedescendant`. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/**
 * Arrows select and wrap; Enter opens the selected hit, with ⌘ or Ctrl in a new tab; Esc clears, and a second
 * Esc leaves the box. Enter without a selection submits the form, which does nothing. The focus stays in the
 * input. Keys that belong to an input method are ignored.
 */
export function useHitSelection(search: DocsSearch): HitSelection {
  const navigate = useNavigate();
  const { hits, answeredQuery } = search.snapshot;
  const [selected, setSelected] = useState({ query: answeredQuery, index: -1 });
  const activeIndex = selected.query === answeredQuery && selected.index < hits.length ? selected.index : -1;

  // A panel that was closed reopens without a selection, even for the same query.
  if (answeredQuery === null && selected.index >= 0) setSelected({ query: null, index: -1 });

  function open(index: number, isNewTab: boolean): void {
    const hit = hits[index];
    if (!hit) return;
    if (isNewTab) window.open(hitPath(hit.url), "_blank", "noopener");
    else void navigate(hitPath(hit.url));
  }

  useEffect(() => {
    document.getElementById(hitId(activeIndex))?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);

  useEffect(() => {
    if (!search.isPanelOpen) return;
    // Esc on a hit or a button of the panel; the input's own handler has prevented the default.
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) search.clear();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [search]);

  return {
    activeIndex,
    onKeyDown(event) {
      // keyCode 229: Safari ends the composition before it sends the key that ended it.
      if (event.nativeEvent.isComposing || event.keyCode === 229) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && hits.length > 0 && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        const from = activeIndex < 0 && step < 0 ? 0 : activeIndex;
        setSelected({ query: answeredQuery, index: (from + step + hits.length) % hits.length });
      } else if (event.key === "Enter" && activeIndex >= 0) {
        event.preventDefault();
        open(activeIndex, event.metaKey || event.ctrlKey);
      } else if (event.key === "Escape") {
        event.preventDefault();
        if (event.currentTarget.value === "") event.currentTarget.blur();
        else search.clear();
      }
    },
  };
}
