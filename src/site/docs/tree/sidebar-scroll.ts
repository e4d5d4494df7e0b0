/**
 * Scrolls only the sidebar, until the current link is in its middle. For a page in two sections it takes the
 * first link that is shown: a section may be folded. Called by the script inlined after the tree; keep it
 * small.
 */
export function centreCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  const frame = sidebar.getBoundingClientRect();
  if (row) sidebar.scrollTop += row.top - frame.top - (frame.height - row.height) / 2;
}

/** Scrolls the sidebar until the current link is in its middle, unless the link is already in view. */
export function revealCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  const frame = sidebar.getBoundingClientRect();
  if (row && (row.top < frame.top || row.bottom > frame.bottom)) centreCurrentLink(sidebar);
}

function currentRow(sidebar: HTMLElement): DOMRect | undefined {
  const links = [...sidebar.querySelectorAll("[aria-current]")];
  return links.map((link) => link.getBoundingClientRect()).find((row) => row.height);
}
