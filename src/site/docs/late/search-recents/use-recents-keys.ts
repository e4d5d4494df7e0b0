import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

interface Cell {
  row: number;
  /** 0: the search; 1: the button that removes it. */
  column: number;
}

interface RecentsList {
  id: string;
  isOpen: boolean;
  setWanted: (isWanted: boolean) => void;
  /** The number of searches; one more row clears them. */
  count: number;
}

/**
 * ↑ ↓ move through the rows and wrap, → ← between a search and its button, Enter presses the active cell, Delete removes the
 * search, Esc closes; ↓ in the empty box opens. The list also opens when the empty box gets the focus, is clicked, or
 * is emptied, and closes when the reader types or the focus leaves.
 * @returns the active cell; null before the first arrow key.
 */
export function useRecentsKeys(inputRef: RefObject<HTMLInputElement | null>, list: RecentsList): Cell | null {
  const { id, isOpen, setWanted, count } = list;
  const [chosen, setActive] = useState<Cell | null>(null);
  const active = isOpen && chosen ? { ...chosen, row: Math.min(chosen.row, count) } : null;
  if (!isOpen && chosen) setActive(null);

  useLayoutEffect(() => {
    const input = inputRef.current;
    if (!input || !active) return;
    const name = `${id}-${active.row}-${active.column}`;
    input.setAttribute("aria-activedescendant", name);
    document.getElementById(name)?.scrollIntoView({ block: "nearest" });
    return () => input.removeAttribute("aria-activedescendant");
  });

  useEffect(() => {
    const input = inputRef.current;
    if (!input) return;
    const controller = new AbortController();
    const { signal } = controller;
    const listen = (types: string[], act: () => void) => {
      for (const type of types) input.addEventListener(type, act, { signal });
    };
    // The focus caused this code to be fetched.
    setWanted(input.value === "" && document.activeElement === input);
    listen(["focus", "click", "input"], () => setWanted(input.value === ""));
    listen(["blur"], () => setWanted(false));
    return () => controller.abort();
  }, [inputRef, setWanted]);

  useEffect(() => {
    const input = inputRef.current;
    if (!input) return;
    const press = (row: number, column: number) => document.getElementById(`${id}-${row}-${column}`)?.click();
    const act = (key: string): boolean => {
      if (!isOpen) {
        if (key !== "ArrowDown" || input.value !== "") return false;
        setWanted(true);
        return true;
      }
      const rows = count + 1;
      if (key === "Escape") setWanted(false);
      else if (key === "ArrowDown") setActive({ row: active ? (active.row + 1) % rows : 0, column: 0 });
      else if (key === "ArrowUp") setActive({ row: ((active?.row ?? 0) + rows - 1) % rows, column: 0 });
      else if (!active) return false;
      else if (key === "Enter") press(active.row, active.column);
      else if (active.row === count) return false;
      else if (key === "Delete") press(active.row, 1);
      else if (key === "ArrowRight") setActive({ ...active, column: 1 });
      else if (key === "ArrowLeft") setActive({ ...active, column: 0 });
      else return false;
      return true;
    };
    // Runs before React's own listener at the root, which would leave the box at Esc.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
      if (!act(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    input.addEventListener("keydown", onKeyDown);
    return () => input.removeEventListener("keydown", onKeyDown);
  });

  return active;
}
