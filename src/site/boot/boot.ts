/**
 * Holds the page together until React arrives, in at most 2.25 KB: switches the theme, shows the remembered tabs, copies code,
 * moves the focus to the search box, loads the client at the reader's first intent, and keeps what was clicked and pressed meanwhile for
 * `window.takeKept`, and errors in `window.keptErrors`. What happened before this file was there is in `window.takeEarly` (`early.ts`).
 */
import { copyCode } from "../docs/behaviors/copy-code.ts";
import { applyTabChoices } from "../docs/behaviors/tab-choice.ts";
import { applyClosedSections } from "../docs/tree/closed-sections.ts";
import { focusSearch } from "./search-shortcut.ts";
import { loadQuestion, preloadClient, startClient } from "./start-client.ts";
import { labelToggles, switchTheme } from "./theme.ts";

const intents = ["pointerover", "pointerdown", "keydown", "focusin", "touchstart"];
const kept: (() => void)[] = [];
const errors: Event[] = (window.keptErrors = []);
let isKeeping = true;

for (const type of ["error", "unhandledrejection"]) addEventListener(type, (event) => errors.push(event));

addEventListener("click", onClick, true);
addEventListener("keydown", onKeydown, true);
for (const intent of intents) addEventListener(intent, loadClient, { passive: true });

window.takeKept = () => {
  isKeeping = false;
  return kept.splice(0);
};

whenParsed(() => {
  labelToggles();
  applyClosedSections(document);
  applyTabChoices(document);
  const early = window.takeEarly?.() ?? [];
  for (const event of early) {
    if (event.type === "click") onClick(event);
    else if (event.type === "keydown") onKeydown(event);
  }
  if (early.length > 0) loadClient();
});

if (document.readyState === "complete") whenPainted();
else addEventListener("load", whenPainted);

function whenParsed(act: () => void) {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", act);
  else act();
}

function onClick(event: Event) {
  const control = (event.target as Element).closest?.<HTMLButtonElement>("button");
  if (!control) return;
  if ("themeToggle" in control.dataset) switchTheme();
  else if (control.classList.contains("copy")) void copyCode(control);
  // A control that React will own: clicked again once it does. Popovers are the browser's own.
  else if (isKeeping && control.type !== "submit" && !control.popoverTargetElement)
    kept.push(() => control.isConnected && control.click());
}

function onKeydown(event: Event) {
  const { key, target, metaKey, ctrlKey, altKey } = event as KeyboardEvent;
  if (focusSearch(event as KeyboardEvent)) return;
  const isTyping = (target as Element).closest?.("input,textarea,select,[contenteditable]");
  if (!isKeeping || isTyping || key.length > 1 || metaKey || ctrlKey || altKey) return;
  kept.push(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
}

function loadClient() {
  for (const intent of intents) removeEventListener(intent, loadClient);
  whenParsed(startClient);
}

/** A preload before the first paint would delay it; a tab in the background has none and preloads nothing. */
function whenPainted() {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    loadQuestion();
    preloadClient();
  }).observe({ type: "paint", buffered: true });
}
