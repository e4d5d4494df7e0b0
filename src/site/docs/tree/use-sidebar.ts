import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useLocation } from "react-router";
import { centreCurrentLink } from "./sidebar-scroll.ts";

/** From this width on, the sidebar is next to the page instead of a sheet. */
const WIDE = "(width >= 1024px)";
/** Elements that the open sheet covers and makes unreachable. */
const BEHIND = "#content, .doc-foot";

export interface Sidebar {
  isOpen: boolean;
  toggle(): void;
  toggleRef: RefObject<HTMLButtonElement | null>;
}

/**
 * The sidebar on a phone: a sheet that the 'Documentation' button opens and closes. It closes when the
 * pathname changes, when one of its links is followed, on Esc, and when the window becomes wide. The page
 * behind neither scrolls nor takes the focus; Esc returns the focus to the button.
 */
export function useSidebar(): Sidebar {
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const toggleRef = useRef<HTMLButtonElement>(null);

  const [seen, setSeen] = useState(pathname);
  if (seen !== pathname) {
    setSeen(pathname);
    setOpen(false);
  }

  useLayoutEffect(() => {
    if (!isOpen) return;
    const { classList } = document.documentElement;
    const behind = document.querySelectorAll(BEHIND);
    classList.add("sidebar-open");
    for (const element of behind) element.toggleAttribute("inert", true);
    const sidebar = document.querySelector<HTMLElement>("#sidebar");
    if (sidebar) centreCurrentLink(sidebar);
    return () => {
      classList.remove("sidebar-open");
      for (const element of behind) element.toggleAttribute("inert", false);
    };
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        setOpen(false);
        toggleRef.current?.focus();
      },
      { signal },
    );
    document.querySelector("#sidebar")?.addEventListener(
      "click",
      (event) => {
        if (isFollowedLink(event)) setOpen(false);
      },
      { signal },
    );
    matchMedia(WIDE).addEventListener("change", () => setOpen(false), { signal });
    return () => controller.abort();
  }, [isOpen]);

  return { isOpen, toggleRef, toggle: () => setOpen(!isOpen) };
}

/** A click with a modifier opens another tab and does not change this page. */
function isFollowedLink(event: Event): boolean {
  if (!(event instanceof MouseEvent) || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  return event.target instanceof Element && event.target.closest("a[href]") !== null;
}
