/**
 * Starts the interactive parts of a marketing page after hydration: the pause button, foam that stops while it is not visible, key
 * caps that follow the reader's choice about shortcuts, and earlier clicks and key presses.
 */
import { areShortcutsOn, subscribeShortcuts } from "../ui/build-faster-key.ts";

/** @returns a function that stops it. */
export function startMarketing(root: HTMLElement): () => void {
  const onClick = (event: Event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-pause]");
    if (button) togglePause(root, button);
  };
  const markShortcuts = () => showShortcuts(root, areShortcutsOn());
  const stopWatching = restUnseen(root);
  const unsubscribe = subscribeShortcuts(markShortcuts);
  root.addEventListener("click", onClick);
  markShortcuts();
  for (const replay of window.takeKept?.() ?? []) replay();
  root.dataset["hydrated"] = "true";
  return () => {
    root.removeEventListener("click", onClick);
    unsubscribe();
    stopWatching();
  };
}

/** One button for the whole page. Its label names the action of a press. */
function togglePause(root: HTMLElement, button: HTMLElement): void {
  const isPaused = root.classList.toggle("is-paused");
  button.setAttribute("aria-label", isPaused ? "Play animation" : "Pause animation");
}

/** The static HTML shows the keys; they are removed while shortcuts are switched off. */
function showShortcuts(root: HTMLElement, areOn: boolean): void {
  root.classList.toggle("no-shortcuts", !areOn);
  for (const link of root.querySelectorAll<HTMLElement>("[data-action-key]")) {
    if (areOn) link.setAttribute("aria-keyshortcuts", link.dataset["actionKey"] ?? "");
    else link.removeAttribute("aria-keyshortcuts");
  }
}

/** Foam stops off screen. (In a hidden tab the browser itself stops it.) */
function restUnseen(root: HTMLElement): () => void {
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.target.classList.toggle("is-unseen", !entry.isIntersecting);
  });
  for (const element of root.querySelectorAll(".flowing")) observer.observe(element);
  return () => observer.disconnect();
}
