/**
 * Makes links in static HTML (article, tree) act like the router's own, with one set of listeners for all. A
 * plain left click on a link to a page of this site navigates on the client; hovering for a moment, focusing
 * or touching one prefetches it. Anchors on the page itself go through the router too: it restores the scroll
 * position on Back from its own history entries, which an entry made by the browser lacks.
 */

/** A pointer that only passes over a link must not prefetch it. */
const HOVER_DELAY_MS = 50;

interface LinkDelegationOptions {
  /** Follows a link, given as path, query and anchor. */
  navigate: (to: string) => void;
  /** Loads the page's data ahead of time; may be called again for the same path. */
  prefetch?: (to: string) => void;
}

/**
 * @param root element whose links are handled, or the document.
 * @returns a function that stops this.
 */
export function startLinkDelegation(
  root: HTMLElement | Document,
  options: LinkDelegationOptions,
): () => void {
  const { navigate, prefetch } = options;
  const controller = new AbortController();
  let hovered: ReturnType<typeof setTimeout> | undefined;
  const listen = (type: string, listener: (event: Event) => void) =>
    root.addEventListener(type, listener, { signal: controller.signal, passive: type !== "click" });

  listen("click", (event) => {
    const to = isPlainClick(event) ? targetOf(event) : null;
    if (to === null) return;
    event.preventDefault();
    navigate(to);
  });

  if (prefetch) {
    const prefetchAfter = (delay: number) => (event: Pick<Event, "target">) => {
      clearTimeout(hovered);
      const to = targetOf(event);
      if (to === null || isThisPage(to)) return;
      if (delay === 0) prefetch(to);
      else hovered = setTimeout(prefetch, delay, to);
    };
    listen("focusin", prefetchAfter(0));
    listen("touchstart", prefetchAfter(0));
    const onHover = prefetchAfter(HOVER_DELAY_MS);
    listen("pointerover", onHover);
    // The pointer's first move loads this code: it may rest on a link already, and then no event tells.
    onHover({ target: root.querySelector("a:hover") });
    listen("pointerleave", () => clearTimeout(hovered));
  }

  return () => {
    clearTimeout(hovered);
    controller.abort();
  };
}

/** A left click without a modifier that nothing has handled. */
export function isPlainClick(event: Event): boolean {
  if (event.defaultPrevented || !(event instanceof MouseEvent) || event.button !== 0) return false;
  return !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** @returns the address without its origin if the event is on a link to a page of this site, else null. */
function targetOf(event: Pick<Event, "target">): string | null {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || (link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = link;
  return origin === location.origin && !isFile(pathname) ? pathname + search + hash : null;
}

/** Pages have no file extension: `/docs/cache/overview.md`, `/llms.txt` and images are files. */
function isFile(pathname: string): boolean {
  return /\.[^/]+$/.test(pathname);
}

function isThisPage(to: string): boolean {
  return to.split("#", 1)[0] === location.pathname + location.search;
}
