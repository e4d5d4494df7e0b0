import { type RefObject, useLayoutEffect, useRef } from "react";
import { type ColumnNeed, planColumns } from "./column-widths.ts";

/** Extra width for later rows. */
const ROOM = 1.12;
/** Width of the arrow next to the label of the sorted column, which may soon be a different one. */
const ARROW = 16;
/** Text is cut to this before anything scrolls sideways, in `rem`. */
const TEXT_LEAST = 5.5;

/**
 * Rows that scroll in and out would move the columns: once a table is virtual it keeps the widths that its first rows
 * need, until its frame or the reader's letters change. Cut text is shown under the pointer.
 */
export function useSteadyColumns(
  frame: RefObject<HTMLElement | null>,
  table: RefObject<HTMLTableElement | null>,
  isVirtual: boolean,
) {
  const measured = useRef("");
  // Before the first paint.
  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, table.current];
    // When filtered to a few rows the columns stay where they are.
    if (!outer || !inner || (!isVirtual && measured.current === "")) return;
    const look = () => {
      const now = `${outer.clientWidth} ${inner.tHead?.offsetHeight}`;
      if (now !== measured.current) measured.current = holdColumns(inner, outer.clientWidth) ? now : "";
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(outer);
    // The head's height reveals larger letters.
    if (inner.tHead) observer.observe(inner.tHead);
    inner.addEventListener("pointerover", tellWhatIsCut);
    let isOver = false;
    if (document.fonts.status === "loading")
      void document.fonts.ready.then(() => {
        if (!isOver) measured.current = "";
        if (!isOver) look();
      });
    return () => {
      isOver = true;
      observer.disconnect();
      inner.removeEventListener("pointerover", tellWhatIsCut);
    };
  }, [frame, table, isVirtual]);
}

/** False: there is nothing to measure, because there are no rows, or rows are cards. */
function holdColumns(table: HTMLTableElement, width: number): boolean {
  const heads = [...table.querySelectorAll<HTMLElement>("thead th")];
  delete table.dataset["steady"];
  table.style.minWidth = "";
  for (const head of heads) head.style.width = "";
  if (!table.tHead?.offsetHeight || !table.querySelector("tbody tr[data-key]")) return false;
  table.dataset["measured"] = "";
  const others = heads.filter((head) => !head.classList.contains("main-column"));
  const needs = others.map(needOf);
  const mainLeast = table.querySelector<HTMLElement>("thead .main-column")?.offsetWidth ?? 0;
  delete table.dataset["measured"];
  const { widths, isTight, tableLeast } = planColumns(needs, { width, mainLeast });
  for (const [index, head] of others.entries()) head.style.width = `${widths[index]}px`;
  table.style.minWidth = `${tableLeast}px`;
  table.dataset["steady"] = isTight ? "tight" : "";
  return true;
}

/** Figures and states are never cut: part of a number is a different number. */
function needOf(head: HTMLElement): ColumnNeed {
  const label = labelWidth(head);
  const own = head.offsetWidth;
  const wanted = Math.max(label, Math.ceil(own * ROOM));
  if (head.classList.contains("align-right")) return { wanted, least: wanted };
  if (head.classList.contains("narrow-right")) return { wanted, least: Math.max(label, own) };
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { wanted, least: Math.max(label, Math.min(own, TEXT_LEAST * rem)) };
}

function labelWidth(head: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(head);
  const { paddingLeft, paddingRight } = getComputedStyle(head);
  const arrow = head.querySelector("button") && !head.ariaSort ? ARROW : 0;
  const sides = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
  return Math.ceil(range.getBoundingClientRect().width + arrow + sides);
}

function tellWhatIsCut({ target }: Event) {
  const cell = target instanceof Element ? target.closest("td") : null;
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.textContent : "";
}
