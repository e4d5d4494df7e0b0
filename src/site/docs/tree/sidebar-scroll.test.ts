// @vitest-environment happy-dom
/**
 * 1. Centring scrolls the sidebar until the current link is in its middle; if the page is in the tree twice,
 *    the first link that is shown.
 * 2. Revealing does the same only when the link is not wholly in view.
 * 3. If the link is not shown, nothing scrolls.
 */
import { afterEach, expect, it, vi } from "vitest";
import { centreCurrentLink, revealCurrentLink } from "./sidebar-scroll.ts";

afterEach(() => vi.restoreAllMocks());

/** A sidebar from 100 to 500, scrolled by 50, with current links at these positions; null = not shown. */
function sidebarWith(tops: (number | null)[]): HTMLElement {
  const sidebar = document.createElement("div");
  sidebar.innerHTML = tops.map((top) => `<a aria-current="page" data-top="${top ?? ""}"></a>`).join("");
  sidebar.scrollTop = 50;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function box(this: Element) {
    if (this === sidebar) return new DOMRect(0, 100, 300, 400);
    const top = this.getAttribute("data-top");
    return top ? new DOMRect(0, Number(top), 300, 40) : new DOMRect(0, 0, 0, 0);
  });
  return sidebar;
}

it.each([
  [[600], 370],
  [[null, 600], 370],
  [[200], -30],
  [[null], 50],
  [[], 50],
])("centres %j (1, 3)", (tops, expected) => {
  const sidebar = sidebarWith(tops);
  centreCurrentLink(sidebar);
  expect(sidebar.scrollTop).toBe(expected);
});

it.each([
  [[100], 50],
  [[460], 50],
  [[461], 231],
  [[99], -131],
  [[null], 50],
])("reveals %j (2, 3)", (tops, expected) => {
  const sidebar = sidebarWith(tops);
  revealCurrentLink(sidebar);
  expect(sidebar.scrollTop).toBe(expected);
});
