const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The key that is held with others, as the reader's keyboard names it. */
export const CTRL = isApple() ? "⌘" : "Ctrl";
export const CTRL_K = `${CTRL} K`;
export const KEYS_OF_COMMAND_MENU = isApple() ? "Meta+K" : "Control+K";
