import { selectTab } from "./tab-choice.ts";

/**
 * Makes the element that an anchor names visible, then scrolls to it: opens the `details` and selects the
 * tabs around it. An element with nothing hidden around it needs nothing: the browser or the router has
 * scrolled to it already.
 * @param hash with its `#`; does nothing if it is "" or names no element.
 */
export function revealTarget(hash: string): void {
  const target = hash.length > 1 ? document.getElementById(decode(hash.slice(1))) : null;
  let isRevealed = false;
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement && !place.open) {
      place.open = true;
      isRevealed = true;
    } else if (place.getAttribute("role") === "tabpanel" && place.hasAttribute("hidden")) {
      const tab = document.getElementById(place.getAttribute("aria-labelledby") ?? "");
      if (tab) selectTab(tab);
      isRevealed = true;
    }
  }
  if (isRevealed) target?.scrollIntoView();
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Reveals the element that the address names: now, whenever the anchor changes, and when a link to it on this
 * page is clicked, before the router scrolls. After such a click Tab continues from that element, as it does
 * without a script.
 * @returns a function that stops this.
 */
export function startAnchors(root: HTMLElement | Document): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  revealTarget(location.hash);
  addEventListener("hashchange", () => revealTarget(location.hash), { signal });
  const onClick = (event: Event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href*="#"]') : null;
    if (!link || !isPlainClick(event) || link.origin !== location.origin) return;
    if (link.pathname !== location.pathname) return;
    revealTarget(link.hash);
    moveFocusTo(link.hash);
  };
  root.addEventListener("click", onClick, { signal });
  return () => controller.abort();
}

function isPlainClick(event: Event): boolean {
  return event instanceof MouseEvent && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** Focuses the element without adding it to the Tab order. */
function moveFocusTo(hash: string): void {
  const target = document.getElementById(decode(hash.slice(1)));
  if (!target) return;
  if (target.tabIndex < 0 && !target.hasAttribute("tabindex")) {
    target.tabIndex = -1;
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  }
  target.focus({ preventScroll: true });
}
