/**
 * The only script that runs before the reader does something: inlined in `<head>`, at most 2 KB. It sets the theme
 * before the first paint, and holds the page together until React arrives: it loads the client at the first intent,
 * keeps what was clicked and pressed meanwhile, and hands it over through `window.takeKept`.
 */
import { copyCode } from "../docs/behaviors/copy-code.ts";
import { applyTheme, switchTheme } from "./theme.ts";
import { focusSearch } from "./search-shortcut.ts";
import { hideClosedSections } from "../docs/tree/closed-sections.ts";

const intents = ["pointerover", "pointerdown", "keydown", "focusin", "touchstart"];
const kept: (() => void)[] = [];
let isKeeping = true;

document.documentElement.classList.add("js");
applyTheme();
hideClosedSections();

addEventListener("click", onClick, true);
addEventListener("keydown", onKeydown, true);
for (const intent of intents) addEventListener(intent, loadClient, { passive: true });
addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(preloadClient));

window.takeKept = () => {
  isKeeping = false;
  return kept.splice(0);
};

function onClick(event: MouseEvent) {
  const control = (event.target as Element).closest?.<HTMLButtonElement>("button");
  if (!control) return;
  if ("themeToggle" in control.dataset) switchTheme();
  else if (control.classList.contains("copy")) copyCode(control);
  // A control that React will own: clicked again once it does.
  else if (isKeeping && control.type !== "submit") kept.push(() => control.isConnected && control.click());
}

function onKeydown(event: KeyboardEvent) {
  const isTyping = (event.target as Element).closest?.("input,textarea,select,[contenteditable]");
  if (focusSearch(event)) return;
  if (!isKeeping || isTyping || event.key.length > 1 || event.metaKey || event.ctrlKey || event.altKey)
    return;
  kept.push(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true })),
  );
}

function clientScript() {
  return document.querySelector<HTMLScriptElement>('script[type="text/x-client"]');
}

function loadClient() {
  for (const intent of intents) removeEventListener(intent, loadClient);
  const inert = clientScript();
  if (!inert) return;
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = inert.textContent;
  inert.type = "text/x-loaded";
  document.head.append(script);
}

function preloadClient() {
  const href = clientScript()?.dataset.preload;
  // A reader who asked to save data loads the client only when it is needed.
  if (!href || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.append(link);
}
