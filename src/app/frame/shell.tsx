import type { ReactNode } from "react";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

/** Rail at the left, top bar above the screen; on narrow screens the rail is a sheet. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <div className="app">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Rail />
      <div className="main">
        <TopBar />
        {children}
      </div>
      <div className="vh" id="announcer" aria-live="polite" />
    </div>
  );
}
