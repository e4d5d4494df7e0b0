import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { NavLink, useLocation } from "react-router";
import { useRangeSearch } from "./data/address.ts";
import { signOut } from "./data/session.ts";
import { Brand } from "./ui/brand.tsx";
import { Icon, type IconName } from "./ui/icon.tsx";
import { ThemeButton } from "./ui/theme-button.tsx";

const PLACES: { to: string; label: string; icon: IconName }[] = [
  { to: "/", label: "Overview", icon: "gauge" },
  { to: "/searches", label: "Searches", icon: "search" },
  { to: "/pages", label: "Pages", icon: "fileText" },
  { to: "/errors", label: "Errors", icon: "bug" },
  { to: "/recordings", label: "Recordings", icon: "circlePlay" },
  { to: "/surveys", label: "Surveys", icon: "messageSquare" },
  { to: "/flags", label: "Flags", icon: "flag" },
  { to: "/health", label: "Ingest health", icon: "activity" },
];

/** Navigation at the left; on narrow screens a bar with a button that opens it. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useFocusOnNavigation(isOpen, () => setIsOpen(false));

  useClosing(isOpen, (isByKey) => {
    setIsOpen(false);
    if (isByKey) toggle.current?.focus();
  });

  return (
    <div className="shell" data-open={isOpen}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="console-bar">
        <Brand />
        <button
          ref={toggle}
          className="icon-btn menu-btn"
          type="button"
          aria-label="Navigation"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "x" : "menu"} />
        </button>
      </header>
      <Navigation />
      <main id="content" inert={isOpen}>
        {children}
      </main>
      <div className="vh" id="announcer" aria-live="polite" />
    </div>
  );
}

function Navigation() {
  const search = useRangeSearch();
  return (
    <nav className="console-nav" id="navigation" aria-label="Console">
      <ul>
        {PLACES.map((place) => (
          <li key={place.to}>
            <NavLink className="nav-item" to={place.to + search} end={place.to === "/"}>
              <Icon name={place.icon} />
              {place.label}
            </NavLink>
          </li>
        ))}
      </ul>
      <div className="nav-end">
        <a className="nav-item" href="/docs">
          <Icon name="squareTerminal" />
          Documentation
        </a>
        <ThemeButton />
        <button className="nav-item" type="button" onClick={() => void signOut()}>
          <Icon name="logOut" />
          Sign out
        </button>
        <button className="nav-item" type="button" onClick={() => void signOut(true)}>
          <Icon name="monitorX" />
          Sign out everywhere
        </button>
      </div>
    </nav>
  );
}

/** Closes an open navigation on Escape, and when the screen becomes wide: there it stands beside the page. */
function useClosing(isOpen: boolean, onClose: (isByKey: boolean) => void) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close(true);
    };
    const wide = matchMedia("(width >= 1024px)");
    const onWide = () => close(false);
    wide.addEventListener("change", onWide);
    addEventListener("keydown", onKey);
    return () => {
      wide.removeEventListener("change", onWide);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
}

/** A new page begins at its top with its heading focused, as a page load would; the first one is left alone. */
function useFocusOnNavigation(isOpen: boolean, onNavigate: () => void) {
  const { pathname } = useLocation();
  const former = useRef(pathname);
  const isDue = useRef(false);
  const act = useEffectEvent(onNavigate);
  useEffect(() => {
    if (former.current !== pathname) {
      former.current = pathname;
      isDue.current = true;
      scrollTo(0, 0);
      act();
    }
    // Under an open navigation the content is inert: nothing in it takes the focus until it is closed.
    if (!isDue.current || isOpen) return;
    isDue.current = false;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [pathname, isOpen]);
}
