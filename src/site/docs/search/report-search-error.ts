/**
 * Logs a failed docs search to the console and throws it again asynchronously, as an uncaught error:
 * `window`'s "error" event fires and error reporting sees it, while the page keeps working.
 */
export function reportSearchError(error: Error): void {
  console.error("Docs search failed:", error);
  queueMicrotask(() => globalThis.reportError(error));
}
