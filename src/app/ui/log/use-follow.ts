import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface Input {
  /** The scrolling element; null until it is drawn. */
  body: HTMLElement | null;
  /** Number of lines. */
  count: number;
  /** Changes with every line. */
  version: number;
  /** More lines may arrive. */
  isLive: boolean;
  /** Initially off when the address names lines. */
  isOnAtFirst: boolean;
}

export interface Follow {
  isOn: boolean;
  /** Lines that arrived since the end was in view. */
  unseen: number;
  toggle: () => void;
  stop: () => void;
  onScroll: () => void;
}

/** Distance that still counts as the end. Pixels. */
const NEAR = 24;

/** On while the end is in view; scrolling up turns it off immediately. It never moves while text of the log is selected. */
export function useFollow({ body, count, version, isLive, isOnAtFirst }: Input): Follow {
  const [isOn, setOn] = useState(isOnAtFirst);
  const [seen, setSeen] = useState(count);
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    if (isOn && body) lastTop.current = showEnd(body);
    // With each line, and each part of one.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isOn, body, count, version]);
  // When the window is resized, the end stays in view.
  useEffect(() => {
    if (!body || !isOn) return;
    const observer = new ResizeObserver(() => showEnd(body));
    observer.observe(body);
    return () => observer.disconnect();
  }, [body, isOn]);
  const turn = (on: boolean) => {
    setOn(on);
    setSeen(count);
  };
  return {
    isOn,
    unseen: isOn ? 0 : Math.max(count - seen, 0),
    toggle: () => turn(!isOn),
    stop: () => turn(false),
    onScroll: () => {
      if (!body) return;
      const isUp = body.scrollTop < lastTop.current - 1;
      const isAtEnd = body.scrollHeight - body.scrollTop - body.clientHeight < NEAR;
      lastTop.current = body.scrollTop;
      if (isUp && !isAtEnd && isOn) turn(false);
      else if (isAtEnd && !isUp && isLive) turn(true);
      else if (isAtEnd) setSeen(count);
    },
  };
}

/** Scrolls to the end unless text is selected. @returns the new scroll position */
function showEnd(body: HTMLElement): number {
  if (!hasSelection(body)) body.scrollTop = body.scrollHeight;
  return body.scrollTop;
}

function hasSelection(element: HTMLElement): boolean {
  const selection = document.getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    (element.contains(selection.anchorNode) || element.contains(selection.focusNode))
  );
}
