import { startLatePage } from "../late/start-late-page.ts";
import { startOwnNames } from "../late/own/start-own.ts";
import { startSetup } from "../reader-setup.ts";
import { startAnchors } from "./anchors.ts";
import { startTabs } from "./tabs.ts";

/**
 * Makes an article's static HTML interactive. Call it for each page shown, after its HTML is in the document.
 * Links and copying are handled further up; the boot script handles the outline.
 * @param prose the article's element.
 * @returns a function that stops this.
 */
export function startPage(prose: HTMLElement): () => void {
  const stops = [
    startTabs(prose),
    startAnchors(document),
    startLatePage(location.pathname),
    startOwnNames(prose, location.pathname),
  ];
  startSetup(prose);
  window.followOutline?.();
  return () => {
    for (const stop of stops) stop();
  };
}
