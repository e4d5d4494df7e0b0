import { useEffect, useLayoutEffect, useRef } from "react";
import { type Location, type NavigationType, useLocation, useNavigationType } from "react-router";
import { focusKeyOf, PlaceMemory, type Position } from "./place-memory.ts";
import { restorePlace } from "./restore-place.ts";

/** Only this module writes it: screens that scroll inside opt in with `data-keep-scroll="name"`. */
const memory = new PlaceMemory(findStorage());
let currentKey = "";
/** Scrolling during a restoration is not the reader's. */
let isRestoring = false;

/**
 * A new page begins at its top, with its heading focused, like a page load. Back and forward restore the place as it was
 * left: scroll positions and focus.
 */
export function useHistoryMemory(): void {
  const location = useLocation();
  const type = useNavigationType();
  const former = useRef<string | null>(null);
  useEffect(watchPlace, []);
  useLayoutEffect(() => {
    const isFirst = former.current === null;
    const isSamePage = former.current === location.pathname;
    former.current = location.pathname;
    if (currentKey === location.key && !isFirst) return;
    if (isSamePage && type !== "POP") memory.change(location.key, memory.find(currentKey) ?? {});
    currentKey = location.key;
    if (isSamePage && !isFirst) return;
    return arrive({ location, type, isFirst });
  }, [location, type]);
}

interface Arrival {
  location: Location;
  type: NavigationType;
  /** On a page load, the browser has already set the focus. */
  isFirst: boolean;
}

function arrive({ location: { key, hash }, type, isFirst }: Arrival): (() => void) | undefined {
  const record = type === "POP" ? memory.find(key) : undefined;
  if (isFirst && !record && hash === "") return undefined;
  if (!record) scrollTo({ top: 0, behavior: "instant" });
  if (!record && hash !== "") return showAnchor(hash);
  const focus = record?.focus ? [record.focus, "main h1"] : ["main h1"];
  isRestoring = true;
  return restorePlace({ scroll: record ?? null, focus: isFirst ? [] : focus }, () => {
    isRestoring = false;
  });
}

/** Shows a part of the page that the address names; it may arrive later than the page. */
function showAnchor(hash: string): () => void {
  const selector = `#${CSS.escape(decodeHash(hash))}`;
  return restorePlace({ scroll: null, focus: [selector, "main h1"] }, () => {
    document.querySelector(selector)?.scrollIntoView();
  });
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** Records scrolling and focus for the current entry. */
function watchPlace(): () => void {
  history.scrollRestoration = "manual";
  const onScroll = ({ target }: Event) => {
    if (isRestoring) return;
    if (target === document) memory.change(currentKey, { page: positionOf(document.documentElement) });
    const name = target instanceof Element ? target.getAttribute("data-keep-scroll") : null;
    if (name === null) return;
    const { inner = {} } = memory.find(currentKey) ?? {};
    memory.change(currentKey, { inner: { ...inner, [name]: positionOf(target as Element) } });
  };
  const onFocus = ({ target }: FocusEvent) => {
    // The frame's own parts are on every page, and overlays are closed by then.
    if (!isRestoring && target instanceof Element && target.closest("main"))
      memory.change(currentKey, { focus: focusKeyOf(target) });
  };
  const keep = () => memory.keep();
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  document.addEventListener("focusin", onFocus);
  addEventListener("pagehide", keep);
  return () => {
    document.removeEventListener("scroll", onScroll, { capture: true });
    document.removeEventListener("focusin", onFocus);
    removeEventListener("pagehide", keep);
  };
}

const positionOf = ({ scrollTop, scrollLeft }: Element): Position => ({ top: scrollTop, left: scrollLeft });

function findStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
