import type { PageReport, QueryReport } from "#docs/author/types.ts";

/** Only `npm run dev` answers it (`src/server/pages/author-endpoint.ts`), from the same sources: the answers match the types. */
const ADDRESS = "/dev/page";

/** @throws Error with a message for the author */
export async function fetchReport(path: string, signal: AbortSignal): Promise<PageReport> {
  return (await askServer({ path }, signal)) as PageReport;
}

/** @throws Error with a message for the author */
export async function fetchPlaces(path: string, words: string, signal: AbortSignal): Promise<QueryReport> {
  return (await askServer({ path, q: words }, signal)) as QueryReport;
}

async function askServer(question: { [name: string]: string }, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`${ADDRESS}?${new URLSearchParams(question)}`, { signal });
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  if (response.ok) return answer;
  throw new Error(answer.message ?? `The development server returned ${response.status}. See its terminal.`);
}
