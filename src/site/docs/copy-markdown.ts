/**
 * Copies the text that `fetchText` brings. The clipboard takes a promise, and must get it during the press itself: a
 * browser that waits for the text first has forgotten the press by then.
 * @throws when the text could not be had or the clipboard refused.
 */
export async function copyFetchedText(fetchText: () => Promise<string>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await fetchText());
  const blob = fetchText().then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** @throws when the answer is not a success. */
export async function fetchMarkdown(path: string): Promise<string> {
  const response = await fetch(path, { headers: { accept: "text/markdown" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}
