import { chooseTheme, type Theme } from "#ui/theme.ts";

export type ThemeChoice = Theme | "system";

/** The site's own choice, in `localStorage.theme`; none: the system's. */
export function readThemeChoice(): ThemeChoice {
  try {
    const { theme } = localStorage;
    return theme === "dark" || theme === "light" ? theme : "system";
  } catch {
    return "system";
  }
}

export function chooseThemeOrSystem(choice: ThemeChoice): void {
  chooseTheme(choice === "system" ? systemTheme() : choice);
  if (choice === "system")
    try {
      localStorage.removeItem("theme");
    } catch {}
  window.dispatchEvent(new Event("themechange"));
}

const systemTheme = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
