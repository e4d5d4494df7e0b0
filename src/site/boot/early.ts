/**
 * Inlined in `<head>`, before anything is painted: the theme, the platform, and a record of what is clicked and pressed until the
 * boot script, a file of its own, is there to act on it. Keep it tiny: it is in every page.
 */
import { applyTheme } from "./theme.ts";

// The label of the search box's keys is CSS: the server does not know the platform.
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
