/**
 * Announces a text to assistive technology through the page's one polite live region (`#announcer`, in Notices). The region is
 * emptied first, because an unchanged text would not be announced again. React never writes to it, because the boot script does.
 */
export function announce(text: string): void {
  const region = document.querySelector("#announcer");
  if (!region) return;
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
