import type { ReactNode } from "react";
import { useIsOffline } from "../data/live.ts";
import { ConnectionBand } from "../ui/connection-band.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

/** Rail at the left, top bar above the screen; on narrow screens the rail is a sheet. */
export function Shell({ children }: { children: ReactNode }) {
  const isOffline = useIsOffline();
  return (
    <div className="app" data-offline={isOffline || undefined}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Rail />
      <div className="main">
        <TopBar />
        <ConnectionBand />
        {children}
      </div>
      <div className="vh" id="announcer" aria-live="polite" />
    </div>
  );
}
