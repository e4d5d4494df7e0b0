/** What the page came with: answers to its screen's first questions (`.server/frame-page.ts`). */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Takes them out of the page. They are as old as the page: one that was kept for long asks again. */
export function takeFirstAnswers(client: QueryClient): void {
  const element = document.querySelector("#first-answers");
  element?.remove();
  const answers = parseAnswers(element?.textContent ?? "[]");
  const [page] = performance.getEntriesByType("navigation");
  const asked = page instanceof PerformanceNavigationTiming ? page.requestStart : 0;
  const updatedAt = Date.now() - (performance.now() - asked);
  for (const [key, data] of answers) client.setQueryData(key, data, { updatedAt });
}

/** Whatever is missing in a page that was cut off is asked for. */
function parseAnswers(text: string): [QueryKey, unknown][] {
  try {
    // The server's own words.
    return JSON.parse(text) as [QueryKey, unknown][];
  } catch {
    return [];
  }
}
