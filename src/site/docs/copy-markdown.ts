/**
 * Copies the text that `fetchText` returns. The clipboard accepts a promise and must get it during the click
 * itself: after waiting for the text, the browser no longer counts it as part of the click.
 * @throws if the text could not be fetched or the clipboard refused it.
 */
export async function copyFetchedText(fetchText: () => Promise<string>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await fetchText());
  const blob = fetchText().then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** @throws if the response is not a success. */
export async function fetchMarkdown(path: string): Promise<string> {
  const response = await fetch(path, { headers: { accept: "text/markdown" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}
