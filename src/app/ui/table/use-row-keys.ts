import { type RefObject, useEffect, useRef, useState } from "react";
import { acceptsKey } from "../keys/accepts-key.ts";

interface Input {
  /** Keys of the shown rows, in order. */
  keys: () => readonly string[];
  frame: RefObject<HTMLElement | null>;
  /** From the address: a key may be pressed before the effect of the former one is rendered. */
  currentKey: () => string | null;
  /** Opens and closes the details next to the table; absent: there are none. */
  setCurrent: ((key: string | null) => void) | undefined;
}

const STEPS: { [key: string]: number | undefined } = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** J and K anywhere, arrows and Space in a row. @returns the row that a key moved to */
export function useRowKeys(input: Input): string | undefined {
  const [target, setTarget] = useState<{ key: string } | null>(null);
  const { frame } = input;
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!acceptsKey(event) || event.shiftKey) return;
      const { keys, setCurrent } = latest.current;
      const currentKey = latest.current.currentKey();
      const focused = keyAt(event.target, frame.current);
      const step = STEPS[event.key];
      if (event.key === " " && focused !== undefined && setCurrent && !isPressable(event.target)) {
        event.preventDefault();
        setCurrent(focused === currentKey ? null : focused);
      } else if (step !== undefined && (focused !== undefined || event.key.length === 1)) {
        const next = nextKey(keys(), focused ?? currentKey ?? undefined, step);
        if (next === undefined) return;
        event.preventDefault();
        setTarget({ key: next });
        if (currentKey !== null) setCurrent?.(next);
      }
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [frame]);
  useEffect(() => {
    if (target) focusRow(frame.current, target.key);
  }, [target, frame]);
  return target?.key;
}

function nextKey(keys: readonly string[], from: string | undefined, step: number): string | undefined {
  const index = from === undefined ? -1 : keys.indexOf(from);
  if (index < 0) return step > 0 ? keys[0] : keys.at(-1);
  return keys[index + step];
}

function keyAt(target: EventTarget | null, frame: HTMLElement | null): string | undefined {
  if (!(target instanceof HTMLElement) || !frame?.contains(target)) return undefined;
  return target.closest<HTMLElement>("tr[data-key]")?.dataset["key"];
}

/** Space presses buttons: a row's buttons keep it, but not the row's own name. */
const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("button") !== null && !target.closest("tbody th");

function focusRow(frame: HTMLElement | null, key: string) {
  const row = frame?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"]`);
  if (!row) return;
  const link = row.querySelector<HTMLElement>("th a[href], th button");
  (link ?? row).focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}
