/**
 * Inlined in `<head>`, before anything is painted: sets the theme and the platform, and records clicks and
 * key presses until the boot script, a separate file, can act on them. Keep it tiny: it is in every page.
 */
import { applyTheme } from "./theme.ts";

// CSS sets the key label of the search box: the server does not know the platform.
document.documentElement.className = /mac|ip/i.test(navigator.platform) ? "js apple" : "js";
applyTheme();

const TYPES = ["click", "keydown"];
const early: Event[] = [];
const record = (event: Event) => early.push(event);
for (const type of TYPES) addEventListener(type, record, true);

window.takeEarly = () => {
  for (const type of TYPES) removeEventListener(type, record, true);
  return early;
};
