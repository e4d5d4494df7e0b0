const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The modifier key, by its name on the reader's keyboard. */
export const CTRL = isApple() ? "⌘" : "Ctrl";
export const CTRL_K = `${CTRL} K`;
export const KEYS_OF_COMMAND_MENU = isApple() ? "Meta+K" : "Control+K";
