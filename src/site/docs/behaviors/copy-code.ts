import { announce } from "../../ui/announce.ts";

/** How long the button says that it has copied. */
const DONE_MS = 1600;

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/**
 * Copies the code that a `.copy` button belongs to: its `data-copy` when it has one, else the text of the `code` of its
 * `figure` without prompts (`.prompt`). The boot script calls it; keep it small.
 */
export async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest("figure")?.querySelector("code");
  const text = button.dataset.copy ?? (code ? codeText(code) : "");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or no secure context: the code is there to be selected by hand.
    announce("Copying was not possible");
    return;
  }
  button.classList.add("is-done");
  button.dataset.label ??= button.getAttribute("aria-label") ?? "";
  button.setAttribute("aria-label", "Copied");
  announce("Copied");
  clearTimeout(timers.get(button));
  timers.set(
    button,
    setTimeout(() => {
      button.classList.remove("is-done");
      button.setAttribute("aria-label", button.dataset.label ?? "");
    }, DONE_MS),
  );
}

export function codeText(code: Element): string {
  const copy = code.cloneNode(true) as Element; // a clone of an element is one
  for (const prompt of copy.querySelectorAll(".prompt")) prompt.remove();
  return copy.textContent.replace(/\n$/, "");
}
