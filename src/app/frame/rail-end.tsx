import { useSyncExternalStore } from "react";
import { chooseTheme, otherTheme } from "#ui/theme.ts";
import { useHere } from "../data/organization.ts";
import { signOut } from "../gate/sign-out.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { openKeys } from "./opened.ts";
import { signOutEverywhere } from "./sign-out-everywhere.ts";

const ITEMS: readonly MenuItem[] = [
  { key: "me", label: "Your profile", icon: "user", to: "/app/me" },
  { key: "api", label: "API reference", icon: "braces", to: "/app/api" },
  { key: "keys", label: "Keys", icon: "keyboard", note: "?", run: openKeys },
  { key: "out", label: "Sign out", icon: "logOut", startsGroup: true, run: () => void signOut() },
  { key: "all", label: "Sign out everywhere", icon: "monitorX", run: () => void signOutEverywhere() },
];

export function RailEnd() {
  const { user } = useHere();
  return (
    <div className="rail-end">
      <Menu label={`${user.name}, your account`} className="me" items={ITEMS}>
        <Avatar name={user.name} isLarge />
        <bdi className="grow clip text-xs">{user.name}</bdi>
      </Menu>
      <ThemeSwitch />
    </div>
  );
}

/** The choice is the site's own: `localStorage.theme`. Charts listen for `themechange`. */
function ThemeSwitch() {
  const other = useSyncExternalStore(watchTheme, otherTheme);
  const change = () => {
    chooseTheme(other);
    window.dispatchEvent(new Event("themechange"));
  };
  const label = other === "dark" ? "Dark theme" : "Light theme";
  return (
    <button className="icon-button theme" type="button" aria-label={label} title={label} onClick={change}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  );
}

function watchTheme(listener: () => void): () => void {
  addEventListener("themechange", listener);
  return () => removeEventListener("themechange", listener);
}
