import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useIsOffline } from "../data/live.ts";
import { ConnectionBand } from "../ui/connection-band.tsx";
import { watchFocus } from "../ui/overlays/focus-origin.ts";
import { Toaster } from "../ui/toaster.tsx";
import { DiskBand } from "./disk-band.tsx";
import { FrameOverlays } from "./frame-overlays.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";
import { useHistoryMemory } from "./use-history-memory.ts";
import { useShortcuts } from "./use-shortcuts.ts";

/** Rail at the left, top bar above the screen; on narrow screens the rail is a sheet. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const close = (isByKey: boolean) => {
    setIsOpen(false);
    if (isByKey) toggle.current?.focus();
  };
  useEffect(watchFocus, []);
  useSheet(isOpen, close);
  useHistoryMemory();
  useShortcuts();
  const isOffline = useIsOffline();
  return (
    <div className="app" data-nav={isOpen ? "open" : undefined} data-offline={isOffline || undefined}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Rail />
      <div className="main">
        <TopBar toggle={toggle} isOpen={isOpen} onToggle={() => (isOpen ? close(true) : setIsOpen(true))} />
        <DiskBand />
        <ConnectionBand />
        <div className="screen" inert={isOpen}>
          {children}
        </div>
      </div>
      <FrameOverlays />
      <Toaster />
      <div className="vh" id="announcer" aria-live="polite" />
    </div>
  );
}

/** The open sheet takes the focus; Esc, a navigation and a wide screen close it. */
function useSheet(isOpen: boolean, onClose: (isByKey: boolean) => void) {
  const close = useEffectEvent(onClose);
  const { key } = useLocation();
  const former = useRef(key);
  useEffect(() => {
    if (former.current !== key) close(false);
    former.current = key;
  }, [key]);
  useEffect(() => {
    if (!isOpen) return;
    const find = (selector: string) => document.querySelector<HTMLElement>(`#navigation ${selector}`);
    (find("a[aria-current]") ?? find("button"))?.focus();
    const onKey = (event: KeyboardEvent) => {
      // A menu over the sheet is closed first.
      if (event.key === "Escape" && !document.querySelector('[role="menu"], [role="dialog"]')) close(true);
    };
    const wide = matchMedia("(width >= 1024px)");
    const onWide = () => close(false);
    wide.addEventListener("change", onWide);
    addEventListener("keydown", onKey);
    document.documentElement.classList.add("is-locked");
    return () => {
      document.documentElement.classList.remove("is-locked");
      wide.removeEventListener("change", onWide);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
}
