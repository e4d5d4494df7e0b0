import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

interface Input {
  body: RefObject<HTMLElement | null>;
  /** Lines so far. */
  count: number;
  /** Changes with every line. */
  version: number;
  /** More may come. */
  isLive: boolean;
  /** Off at first when the address names lines. */
  isOnAtFirst: boolean;
}

export interface Follow {
  isOn: boolean;
  /** Lines that came since the end was in view. */
  unseen: number;
  toggle: () => void;
  stop: () => void;
  onScroll: () => void;
}

/** So near to the end counts as the end. Pixels. */
const NEAR = 24;

/**
 * On while the end is in view; scrolling up turns it off at once. It never moves while text of the log is selected.
 */
export function useFollow({ body, count, version, isLive, isOnAtFirst }: Input): Follow {
  const [isOn, setOn] = useState(isOnAtFirst);
  const [seen, setSeen] = useState(count);
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const element = body.current;
    if (!isOn || !element || hasSelection(element)) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
    setSeen(count);
  }, [isOn, body, count, version]);
  // A window that grows or shrinks keeps the end in view.
  useEffect(() => {
    const element = body.current;
    if (!element || !isOn) return;
    const observer = new ResizeObserver(() => {
      if (!hasSelection(element)) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [body, isOn]);
  return {
    isOn,
    unseen: Math.max(count - seen, 0),
    toggle: () => setOn((is) => !is),
    stop: () => setOn(false),
    onScroll: () => {
      const element = body.current;
      if (!element) return;
      const isUp = element.scrollTop < lastTop.current - 1;
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      lastTop.current = element.scrollTop;
      if (isUp && !isAtEnd) setOn(false);
      if (!isAtEnd) return;
      setSeen(count);
      if (isLive && !isUp) setOn(true);
    },
  };
}

function hasSelection(element: HTMLElement): boolean {
  const selection = document.getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    (element.contains(selection.anchorNode) || element.contains(selection.focusNode))
  );
}
