/** Id of the page's one polite live region (`role="status"`, visually hidden). */
export const ANNOUNCER_ID = "announcer";

/** Has a screen reader say `text`. The same text twice in a row is said twice. */
export function announce(text: string): void {
  const region = document.getElementById(ANNOUNCER_ID);
  // A region says what changes in it; a no-break space makes a repetition a change.
  if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
