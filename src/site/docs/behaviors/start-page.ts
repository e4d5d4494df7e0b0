import { startAnchors } from "./anchors.ts";
import { startTabs } from "./tabs.ts";

/**
 * Brings an article's static HTML to life; to be called for each page that is shown, after its HTML is in the document.
 * Links and copying need no call of their own: they are handled further up. The outline is the boot script's.
 * @param prose the article's element.
 * @returns a function that ends it.
 */
export function startPage(prose: HTMLElement): () => void {
  const stops = [startTabs(prose), startAnchors(document)];
  window.followOutline?.();
  return () => {
    for (const stop of stops) stop();
  };
}
