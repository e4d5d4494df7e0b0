import { useLayoutEffect, useRef } from "react";

/**
 * The results replace the page and restore its position afterwards. When the reader opens the panel it starts
 * at its top, just under the sticky bar; when the reader closes it the page returns to its earlier scroll
 * position. Panels opened or closed by a navigation are left to the router's scroll restoration.
 * @returns a function to call right before the panel opens, while the page is still there.
 */
export function usePanelScroll(isOpen: boolean, isByReader: boolean): () => void {
  const wasOpen = useRef(isOpen);
  const before = useRef({ scroll: 0, top: 0 });
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const { scroll, top } = before.current;
    // A page that is not scrolled stays where it is: asking for it would compute the layout within this task.
    if (!isByReader || (isOpen && scroll === 0)) return;
    window.scrollTo({ top: isOpen ? Math.min(scroll, top) : scroll, behavior: "instant" });
  }, [isOpen, isByReader]);
  return () => {
    before.current = { scroll: window.scrollY, top: panelTop() };
  };
}

/** The scroll position at which the page's header is out of view and the bar has just become sticky. */
function panelTop(): number {
  const bar = document.querySelector<HTMLElement>(".doc-bar");
  const main = document.querySelector<HTMLElement>("#content");
  if (!bar || !main) return 0;
  return Math.max(0, main.getBoundingClientRect().top + window.scrollY - bar.offsetHeight);
}
