import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { hitPath } from "./hit-text.ts";
import type { DocsSearch } from "./use-docs-search.ts";

export interface HitSelection {
  /** Index of the selected hit; -1 before the first arrow key. */
  activeIndex: number;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
  /** The reader types on: what Enter was pressed for does not count any more. */
  forgetEnter(): void;
}

/** Id of a hit's option, for `aria-activedescendant`. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/**
 * Arrows select and wrap, Enter opens the selected hit or the first one, with ⌘ or Ctrl in a new tab, Esc clears and a
 * second Esc leaves the box. The focus stays in the input. Keys of an input method are left to it.
 */
export function useHitSelection(search: DocsSearch): HitSelection {
  const navigate = useNavigate();
  const { hits, answeredQuery, status } = search.snapshot;
  const [selected, setSelected] = useState({ query: answeredQuery, index: -1 });
  const activeIndex = selected.query === answeredQuery && selected.index < hits.length ? selected.index : -1;
  /** The query whose first hit is to be opened as soon as it has come. */
  const entered = useRef<string>(null);

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
    // Esc outside the input, on a hit or a button of the panel. The input's own handler has prevented the default.
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) search.clear();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [search]);

  useEffect(() => {
    if (status === "error") entered.current = null;
    if (entered.current === null || entered.current !== answeredQuery) return;
    entered.current = null;
    open(0, false);
  });

  function onEnter(isNewTab: boolean): void {
    const query = search.flush();
    if (query === "") return;
    if (activeIndex >= 0) open(activeIndex, isNewTab);
    else if (query === answeredQuery) open(0, isNewTab);
    else if (!isNewTab) entered.current = query;
  }

  function onEscape(input: HTMLInputElement): void {
    entered.current = null;
    if (input.value === "") input.blur();
    else search.clear();
  }

  return {
    activeIndex,
    forgetEnter() {
      entered.current = null;
    },
    onKeyDown(event) {
      // keyCode 229: Safari ends the composition before it sends the key that ended it.
      if (event.nativeEvent.isComposing || event.keyCode === 229) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && hits.length > 0 && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        const from = activeIndex < 0 && step < 0 ? 0 : activeIndex;
        setSelected({ query: answeredQuery, index: (from + step + hits.length) % hits.length });
      } else if (event.key === "Enter") {
        event.preventDefault();
        onEnter(event.metaKey || event.ctrlKey);
      } else if (event.key === "Escape") {
        event.preventDefault();
        onEscape(event.currentTarget);
      }
    },
  };
}
