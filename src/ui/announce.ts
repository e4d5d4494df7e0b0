/**
 * Says a text to assistive technology through the page's one polite live region (`#announcer`, in Notices). The region is
 * emptied first: a text that is already there would not be said again. The boot script writes to it too, so React never does.
 */
export function announce(text: string): void {
  const region = document.querySelector("#announcer");
  if (!region) return;
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
