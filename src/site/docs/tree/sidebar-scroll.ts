/**
 * Scrolls the sidebar, and nothing else, until the current link is in its middle. Of a page in two sections it is the first link that
 * is shown: a section may be folded. The script inlined behind the tree calls it; keep it small.
 */
export function centreCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  const frame = sidebar.getBoundingClientRect();
  if (row) sidebar.scrollTop += row.top - frame.top - (frame.height - row.height) / 2;
}

/** Scrolls the sidebar until the current link is in its middle, unless the link is in view already. */
export function revealCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  const frame = sidebar.getBoundingClientRect();
  if (row && (row.top < frame.top || row.bottom > frame.bottom)) centreCurrentLink(sidebar);
}

function currentRow(sidebar: HTMLElement): DOMRect | undefined {
  const links = [...sidebar.querySelectorAll("[aria-current]")];
  return links.map((link) => link.getBoundingClientRect()).find((row) => row.height);
}
