import { Icon } from "./icon.tsx";

/**
 * Has no state and no handler: the boot script handles `data-theme-toggle` before and after hydration, and
 * keeps the label correct. CSS shows the icon of the theme that a press switches to.
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
