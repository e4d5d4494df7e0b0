import { useState } from "react";
import { chooseTheme, otherTheme } from "#ui/theme.ts";
import { Icon } from "./icon.tsx";

/** The choice is the site's own: `localStorage.theme`. Charts listen for `themechange`. */
export function ThemeButton() {
  const [other, setOther] = useState(otherTheme);
  const change = () => {
    chooseTheme(other);
    setOther(otherTheme());
    window.dispatchEvent(new Event("themechange"));
  };
  return (
    <button className="nav-item" type="button" onClick={change}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
      {other === "dark" ? "Dark theme" : "Light theme"}
    </button>
  );
}
