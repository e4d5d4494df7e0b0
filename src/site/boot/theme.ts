import { chooseTheme, otherTheme } from "#ui/theme.ts";

/**
 * The page follows the system's theme until the reader has chosen one; the choice is kept in
 * `localStorage.theme`. If storage is forbidden, the choice lasts for the page only.
 */
export function applyTheme(): void {
  let chosen: string | undefined;
  try {
    chosen = localStorage.theme;
  } catch {}
  document.documentElement.dataset.theme =
    chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function switchTheme(): void {
  chooseTheme(otherTheme());
  labelToggles();
}

/** Labels each toggle with the theme that it switches to; the server's HTML names the dark theme. */
export function labelToggles() {
  for (const button of document.querySelectorAll("[data-theme-toggle]"))
    button.setAttribute("aria-label", `Switch to ${otherTheme()} theme`);
}
