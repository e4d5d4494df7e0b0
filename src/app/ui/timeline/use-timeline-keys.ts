import { type RefObject, useEffect, useEffectEvent } from "react";
import { acceptsKey } from "../keys/accepts-key.ts";

interface Input {
  root: RefObject<HTMLElement | null>;
  /** The chosen step, if any. */
  currentId: string | undefined;
  onCurrent: ((id: string) => void) | undefined;
  toggleCritical: () => void;
  toggleAll: () => void;
}

const MOVES: { [key: string]: number | undefined } = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** J and K move between steps, P shows the critical path, E opens all. Enter belongs to the links. */
export function useTimelineKeys({ root, currentId, onCurrent, toggleCritical, toggleAll }: Input): void {
  const go = (move: number): boolean => {
    const links = [...(root.current?.querySelectorAll<HTMLElement>("[data-step]") ?? [])];
    const focused = links.indexOf(document.activeElement as HTMLElement);
    const from = focused >= 0 ? focused : links.findIndex((link) => link.dataset["step"] === currentId);
    const next = from < 0 ? (move > 0 ? links[0] : links.at(-1)) : links[from + move];
    if (!next) return false;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    if (currentId !== undefined) onCurrent?.(next.dataset["step"] ?? "");
    return true;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!acceptsKey(event) || event.shiftKey) return;
    const isInside = event.target instanceof Node && root.current?.contains(event.target) === true;
    const move = MOVES[event.key];
    if (event.key === "p") toggleCritical();
    else if (event.key === "e") toggleAll();
    // Arrows scroll the page unless a step has the focus.
    else if (move === undefined || (event.key.length > 1 && !isInside)) return;
    else if (!go(move)) return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
