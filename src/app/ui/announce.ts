/** Says something to a screen reader, politely; the region stands in the shell. */
export function announce(text: string): void {
  const region = document.querySelector("#announcer");
  if (region) region.textContent = text;
}
