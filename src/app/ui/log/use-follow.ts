import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface Input {
  /** What scrolls; null until it is drawn. */
  body: HTMLElement | null;
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
    if (!isOn || !body || hasSelection(body)) return;
    body.scrollTop = body.scrollHeight;
    lastTop.current = body.scrollTop;
    setSeen(count);
  }, [isOn, body, count, version]);
  // A window that grows or shrinks keeps the end in view.
  useEffect(() => {
    if (!body || !isOn) return;
    const observer = new ResizeObserver(() => {
      if (!hasSelection(body)) body.scrollTop = body.scrollHeight;
    });
    observer.observe(body);
    return () => observer.disconnect();
  }, [body, isOn]);
  return {
    isOn,
    unseen: Math.max(count - seen, 0),
    toggle: () => setOn((is) => !is),
    stop: () => setOn(false),
    onScroll: () => {
      if (!body) return;
      const isUp = body.scrollTop < lastTop.current - 1;
      const isAtEnd = body.scrollHeight - body.scrollTop - body.clientHeight < NEAR;
      lastTop.current = body.scrollTop;
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
