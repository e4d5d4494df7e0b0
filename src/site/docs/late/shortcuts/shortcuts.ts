import { siteConfig } from "#config";
import { areShortcutsOn, setShortcuts, subscribeShortcuts } from "../../../ui/build-faster-key.ts";
import { make } from "../parts/make.ts";
import { openDialog } from "../parts/open-dialog.ts";
import { shortcutGroups, type ShortcutGroup } from "./shortcut-list.ts";

export { default as styles } from "./shortcuts.css?inline";

/** The documentation's keys, and the switch for single-letter keys (WCAG 2.1.4). */
export function start(): void {
  const isApple = document.documentElement.classList.contains("apple");
  const groups = shortcutGroups(isApple, siteConfig.header.action);
  const state = make("span", { ariaHidden: "true" });
  const toggle = make("button", { className: "keys-switch", type: "button" }, "Single-key shortcuts", state);
  toggle.setAttribute("role", "switch");
  toggle.addEventListener("click", () => setShortcuts(!areShortcutsOn()));
  const list = make("div", { className: "keys" }, ...groups.map(groupElement));
  const update = () => {
    const isOn = areShortcutsOn();
    toggle.ariaChecked = String(isOn);
    state.textContent = isOn ? "on" : "off";
    list.toggleAttribute("data-off", !isOn);
  };
  const stop = subscribeShortcuts(update);
  update();
  openDialog({
    title: "Keyboard shortcuts",
    className: "keys-dialog",
    content: [list, toggle],
    onClose: stop,
  });
}

function groupElement({ title, rows }: ShortcutGroup): HTMLElement {
  const items = rows.map(({ label, keys, isSingle = false }) =>
    make(
      "div",
      { className: isSingle ? "is-single" : "" },
      make("dt", {}, label),
      make("dd", {}, ...keys.map((key) => make("kbd", {}, key))),
    ),
  );
  return make("section", {}, make("h3", {}, title), make("dl", {}, ...items));
}
