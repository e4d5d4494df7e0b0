/** The rows of the list. A feature with its own keys adds them here. */
export interface ShortcutGroup {
  title: string;
  rows: { label: string; keys: string[]; isSingle?: boolean }[];
}

/** @param action label and key of the primary action */
export function shortcutGroups(isApple: boolean, action: { label: string; key: string }): ShortcutGroup[] {
  const command = isApple ? "⌘" : "Ctrl";
  return [
    {
      title: "On every page",
      rows: [
        { label: "Search", keys: ["/"], isSingle: true },
        { label: "Search, also while typing", keys: [`${command} K`] },
        { label: action.label, keys: [action.key], isSingle: true },
        { label: "This list", keys: ["?"], isSingle: true },
        { label: "Remove search highlights", keys: ["Esc"] },
      ],
    },
    {
      title: "In search results",
      rows: [
        { label: "Choose a result", keys: ["↑", "↓"] },
        { label: "Open it", keys: ["Enter"] },
        { label: "Open it in a new tab", keys: [`${command} Enter`] },
        { label: "Preview it", keys: ["→"] },
        { label: "Back to the page", keys: ["Esc"] },
      ],
    },
    {
      title: "On tabs, and in menus",
      rows: [
        { label: "Next and previous tab", keys: ["→", "←"] },
        { label: "Next and previous menu item", keys: ["↓", "↑"] },
        { label: "First and last", keys: ["Home", "End"] },
      ],
    },
    {
      title: "In an enlarged image",
      rows: [
        { label: "Larger, smaller, fit", keys: ["+", "−", "0"] },
        { label: "Move", keys: ["↑", "↓", "←", "→"] },
      ],
    },
  ];
}
