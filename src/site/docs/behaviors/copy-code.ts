import { announce } from "#ui/announce.ts";

/** How long the button shows that the code was copied. */
const DONE_MS = 1600;

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/**
 * Copies the code that a `.copy` button belongs to: its `data-copy` if that differs from the shown text (as
 * with a prompt), else the text of the `code` in its `figure`. Part of the boot script; keep it small.
 */
export async function copyCode(button: HTMLElement): Promise<void> {
  const text = button.dataset.copy ?? button.closest("figure")?.querySelector("code")?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or no secure context: readers can still select the code by hand.
    announce("Copying failed");
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
