/**
 * Inlined in `<head>`, before anything is painted: the theme, the sections that the reader has closed, and a record of
 * every intent until the boot script, a file of its own, is there to act on them. Keep it tiny: it is in every page.
 */
import { hideClosedSections } from "../docs/tree/closed-sections.ts";
import { applyTheme } from "./theme.ts";

document.documentElement.classList.add("js");
applyTheme();
hideClosedSections();

const intents = ["click", "pointerover", "pointerdown", "keydown", "focusin", "touchstart"];
const early: Event[] = [];
const record = (event: Event) => early.push(event);
for (const intent of intents) addEventListener(intent, record, true);

window.takeEarly = () => {
  for (const intent of intents) removeEventListener(intent, record, true);
  return early;
};
