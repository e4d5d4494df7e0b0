import { type RefObject, useEffect } from "react";

interface PreviewKeys {
  close: () => void;
  copy: () => void;
  panelRef: RefObject<HTMLElement | null>;
}

/**
 * Keys of the search box while a preview is shown: → moves into the preview, ← and Esc close it, ⌘C or Ctrl C copies its code
 * unless other text is selected. Esc in the preview also closes it. Arrows up and down still move the selection, and the preview
 * follows.
 */
export function usePreviewKeys(
  inputRef: RefObject<HTMLInputElement | null>,
  { close, copy, panelRef }: PreviewKeys,
): void {
  useEffect(() => {
    const input = inputRef.current;
    if (!input) return;
    const act = (event: KeyboardEvent): boolean => {
      if (event.isComposing || event.altKey || event.shiftKey) return false;
      if (event.metaKey || event.ctrlKey) {
        if (event.key !== "c" || input.selectionStart !== input.selectionEnd) return false;
        copy();
      } else if (event.key === "ArrowRight" && input.selectionEnd === input.value.length)
        panelRef.current?.focus();
      else if (event.key === "ArrowLeft" || event.key === "Escape") close();
      else return false;
      return true;
    };
    // Runs before React's own listener at the root, which would close the results at Esc.
    const onKeyDown = (event: KeyboardEvent) => {
      if (!act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
    };
    const panel = panelRef.current;
    input.addEventListener("keydown", onKeyDown);
    panel?.addEventListener("keydown", onEscape);
    return () => {
      input.removeEventListener("keydown", onKeyDown);
      panel?.removeEventListener("keydown", onEscape);
    };
  });
}
