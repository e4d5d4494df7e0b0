import { Icon } from "./icon.tsx";

/**
 * No state and no handler: the boot script listens for `data-theme-toggle` before React is there and goes on after it,
 * and keeps the label true. CSS shows the icon of the theme that a press would bring.
 */
export function ThemeToggle() {
  return (
    <button
      className="icon-btn theme-toggle js-only"
      type="button"
      aria-label="Switch to dark theme"
      data-theme-toggle
      suppressHydrationWarning
    >
      <Icon name="moon" className="on-light" />
      <Icon name="sun" className="on-dark" />
    </button>
  );
}
