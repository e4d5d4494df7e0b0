import { useState } from "react";
import { announce } from "./announce.ts";
import { Icon } from "./icon.tsx";

/** The choice is the site's own: `localStorage.theme`. Charts listen for `themechange`. */
export function ThemeButton() {
  const [theme, setTheme] = useState(document.documentElement.dataset["theme"] ?? "light");
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    document.documentElement.dataset["theme"] = other;
    try {
      localStorage["theme"] = other;
    } catch {
      // Where storage is forbidden the choice lasts for the page.
    }
    setTheme(other);
    announce(other === "dark" ? "Dark theme" : "Light theme");
    window.dispatchEvent(new Event("themechange"));
  };
  return (
    <button className="nav-item" type="button" onClick={change}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
      {other === "dark" ? "Dark theme" : "Light theme"}
    </button>
  );
}
