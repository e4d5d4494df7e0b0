/** Pages whose sections are previewed; fetched once, and parsed without running their scripts. */

const MAX_PAGES = 20;
const pages = new Map<string, Promise<Document>>();

/** @throws Error if the page cannot be loaded; the next call tries again. */
export function fetchPage(path: string): Promise<Document> {
  const known = pages.get(path);
  if (known) return known;
  const oldest = pages.keys().next().value;
  if (pages.size >= MAX_PAGES && oldest !== undefined) pages.delete(oldest);
  const page = read(path);
  pages.set(path, page);
  page.catch(() => pages.delete(path));
  return page;
}

async function read(path: string): Promise<Document> {
  const response = await fetch(path, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(`${path} answered with status ${response.status}.`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
