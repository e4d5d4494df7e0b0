/** Answers to a screen's first questions, delivered with its page (`.server/frame-page.ts`). */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Removes them from the page. They are as old as the page: a page that was cached for long asks again. */
export function takeFirstAnswers(client: QueryClient): void {
  const element = document.querySelector("#first-answers");
  element?.remove();
  const answers = parseAnswers(element?.textContent ?? "[]");
  const [page] = performance.getEntriesByType("navigation");
  const asked = page instanceof PerformanceNavigationTiming ? page.requestStart : 0;
  const updatedAt = Date.now() - (performance.now() - asked);
  for (const [key, data] of answers) client.setQueryData(key, data, { updatedAt });
}

/** Answers missing from a truncated page are requested. */
function parseAnswers(text: string): [QueryKey, unknown][] {
  try {
    // Written by the server itself.
    return JSON.parse(text) as [QueryKey, unknown][];
  } catch {
    return [];
  }
}
