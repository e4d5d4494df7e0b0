import { type ComponentProps, useId, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { DocsSearch } from "../../search/use-docs-search.ts";
import { adoptStyles } from "../adopt-styles.ts";
import {
  forgetSearch,
  forgetSearches,
  recentSearches,
  storedSearches,
  subscribeSearches,
} from "./recent-searches.ts";
import styles from "./search-recents.css?inline";
import { useRecentsKeys } from "./use-recents-keys.ts";

adoptStyles(styles);

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table's elements would be laid out as a table */

/**
 * The recent searches below the empty, focused search box: a grid, because each row also has a button that removes it. The
 * focus stays in the input; this sets the input's attributes while it is open, and React sets those of a closed list.
 */
export function SearchRecents({ search: { inputRef, onText } }: { search: DocsSearch }) {
  const stored = useSyncExternalStore(subscribeSearches, storedSearches, () => null);
  const searches = recentSearches(stored);
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const isOpen = isWanted && searches.length > 0;
  const active = useRecentsKeys(inputRef, { id, isOpen, setWanted, count: searches.length });

  useLayoutEffect(() => {
    const input = inputRef.current;
    if (!input || !isOpen) return;
    const attributes = { "aria-expanded": "true", "aria-haspopup": "grid", "aria-controls": id };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    return () => {
      input.removeAttribute("aria-haspopup");
      input.removeAttribute("aria-controls");
      input.setAttribute("aria-expanded", "false");
    };
  }, [inputRef, isOpen, id]);

  const choose = (query: string) => {
    const input = inputRef.current;
    if (!input) return;
    input.value = query;
    setWanted(false);
    onText(query);
  };

  if (!isOpen) return null;
  const cell: CellProps = (row, column) => ({
    id: `${id}-${row}-${column}`,
    type: "button",
    tabIndex: -1,
    className: active?.row === row && active.column === column ? "is-active" : undefined,
  });
  return (
    // The focus must not leave the input: the list would close below the pointer.
    <div className="recents" data-private onMouseDown={(event) => event.preventDefault()} role="none">
      <p id={`${id}-label`}>Recent searches</p>
      <div role="grid" id={id} aria-labelledby={`${id}-label`}>
        {searches.map((query, row) => (
          <Recent key={query} query={query} row={row} cell={cell} onChoose={choose} />
        ))}
        <div role="row" className="recents-clear">
          <div role="gridcell">
            <button {...cell(searches.length, 0)} onClick={clear}>
              Clear recent searches
            </button>
          </div>
        </div>
      </div>
    </div>
  );
}

type CellProps = (row: number, column: number) => ComponentProps<"button">;

interface RecentProps {
  query: string;
  row: number;
  cell: CellProps;
  onChoose: (query: string) => void;
}

function Recent({ query, row, cell, onChoose }: RecentProps) {
  return (
    <div role="row">
      <div role="gridcell">
        <button {...cell(row, 0)} onClick={() => onChoose(query)}>
          <Icon name="rotate-cw" />
          <span>{query}</span>
        </button>
      </div>
      <div role="gridcell">
        <button {...cell(row, 1)} aria-label={`Remove ${query}`} onClick={() => remove(query)}>
          <Icon name="x" />
        </button>
      </div>
    </div>
  );
}

function remove(query: string): void {
  forgetSearch(query);
  announce(`Removed from recent searches: ${query}`);
}

function clear(): void {
  forgetSearches();
  announce("Recent searches cleared");
}
