import { selectTab } from "./tab-choice.ts";

/**
 * Makes the place that an anchor names visible, then scrolls to it: opens the `details` and selects the tabs around it.
 * A place that is in view of nothing hidden is left to the browser or the router, which have scrolled to it.
 * @param hash with its `#`; "" and names of nothing do nothing.
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
 * Reveals the place that the address names: now, whenever the anchor changes, and when a link to it is clicked again.
 * @returns a function that ends it.
 */
export function startAnchors(root: HTMLElement | Document): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  revealTarget(location.hash);
  addEventListener("hashchange", () => revealTarget(location.hash), { signal });
  const onClick = (event: Event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href*="#"]') : null;
    if (link && link.hash === location.hash && link.pathname === location.pathname) revealTarget(link.hash);
  };
  root.addEventListener("click", onClick, { signal });
  return () => controller.abort();
}
