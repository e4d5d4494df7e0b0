import { announce } from "./announce.ts";

export type Theme = "dark" | "light";

const shown = () => document.documentElement.dataset;

/** The theme that a press selects. */
export const otherTheme = (): Theme => (shown()["theme"] === "dark" ? "light" : "dark");

/** Shows a theme and stores it in `localStorage.theme`. Without storage it lasts as long as the page. */
export function chooseTheme(theme: Theme): void {
  shown()["theme"] = theme;
  try {
    localStorage["theme"] = theme;
  } catch {}
  announce(theme === "dark" ? "Dark theme" : "Light theme");
}
