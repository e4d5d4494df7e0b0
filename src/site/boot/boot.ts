/**
 * Serves the page until React arrives, in at most 2.25 KB with the two inlined scripts: switches the theme,
 * shows the remembered tabs, copies code, marks the reader's position in the outline, focuses the search box,
 * and loads the client at the reader's first intent. Until then it keeps clicks and key presses for
 * `window.takeKept`, and errors in `window.keptErrors`. Events from before this file loaded are in
 * `window.takeEarly` (`early.ts`).
 */
import { copyCode } from "../docs/behaviors/copy-code.ts";
import { followOutline } from "../docs/behaviors/outline.ts";
import { applyTabChoices } from "../docs/behaviors/tab-choice.ts";
import { focusSearch, isTyping } from "./search-shortcut.ts";
import { loadQuestion, preloadClient, startClient } from "./start-client.ts";
import { labelToggles, switchTheme } from "./theme.ts";

const kept: (() => void)[] = [];
const errors: Event[] = (window.keptErrors = []);
let isKeeping = true;
/** The pointer's position in the first event. */
let firstPlace: string | undefined;

for (const type of ["error", "unhandledrejection"]) addEventListener(type, (event) => errors.push(event));

addEventListener("click", onClick, true);
addEventListener("keydown", onKeydown, true);
for (const intent of ["pointerdown", "keydown", "focusin"])
  addEventListener(intent, loadClient, { once: true });
addEventListener("pointermove", onPointer);

// If this script runs before the outline exists, the outline calls it.
(window.followOutline = followOutline)();
window.takeKept = () => {
  isKeeping = false;
  return kept.splice(0);
};

whenParsed(() => {
  labelToggles();
  applyTabChoices(document);
  for (const event of window.takeEarly?.() ?? []) {
    (event.type === "click" ? onClick : onKeydown)(event);
    loadClient();
  }
});

// The `load` event waits for this script, so the listener is added in time.
addEventListener("load", whenPainted);

function whenParsed(act: () => unknown) {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", act);
  else act();
}

function onClick(event: Event) {
  const control = (event.target as Element).closest?.<HTMLButtonElement>("button");
  if (!control) return;
  if ("themeToggle" in control.dataset) switchTheme();
  else if (control.classList.contains("copy")) void copyCode(control);
  // A control that React will handle: clicked again once React is ready. The browser handles popovers itself.
  else if (isKeeping && control.type !== "submit" && !control.popoverTargetElement)
    kept.push(() => control.isConnected && control.click());
}

function onKeydown(event: Event) {
  const { key, target, metaKey, ctrlKey, altKey } = event as KeyboardEvent;
  if (focusSearch(event as KeyboardEvent)) return;
  if (!isKeeping || isTyping(target) || key.length > 1 || metaKey || ctrlKey || altKey) return;
  kept.push(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
}

/**
 * A browser reports a pointer move when the page appears or moves below the pointer. The reader has moved it
 * only if its position differs from the last one; screen coordinates, because they do not change while the
 * window stays put.
 */
function onPointer({ screenX, screenY }: PointerEvent) {
  const place = `${screenX} ${screenY}`;
  if ((firstPlace ??= place) === place) return;
  removeEventListener("pointermove", onPointer);
  loadClient();
}

/** In a task of its own: what the reader did is painted first. */
function loadClient() {
  setTimeout(whenParsed, 0, startClient);
}

/** A preload before the first paint would delay it; a background tab does not paint and preloads nothing. */
function whenPainted() {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    loadQuestion();
    // Someone is signed in: the samples get their names (`docs/late/own/`).
    if (document.cookie.includes("millrace-reader")) loadClient();
    else preloadClient();
  }).observe({ type: "paint", buffered: true });
}
