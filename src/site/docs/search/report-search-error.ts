/**
 * A failed docs search is logged to the console and raised again as an error: asynchronously, as an uncaught one, so
 * that `window`'s "error" event fires and error reporting sees it, while the page goes on working.
 */
export function reportSearchError(error: Error): void {
  console.error("Docs search failed:", error);
  queueMicrotask(() => globalThis.reportError(error));
}
