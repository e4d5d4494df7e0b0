import { adoptStyles } from "../adopt-styles.ts";
import styles from "./dialog.css?inline";
import { make } from "./make.ts";

interface DialogParts {
  title: string;
  className: string;
  content: Node[];
  /** Buttons next to the close button. */
  tools?: Node[];
  onClose?: () => void;
}

const TITLE_ID = "dialog-title";

/**
 * Opens a modal dialog, which closes with Esc, its button, a press outside it or a navigation. The browser keeps the focus
 * inside and then returns it.
 */
export function openDialog({
  title,
  className,
  content,
  tools = [],
  onClose,
}: DialogParts): HTMLDialogElement {
  adoptStyles(styles);
  const close = make("button", { className: "icon-btn dialog-close", type: "button", ariaLabel: "Close" });
  const head = make("header", {}, make("h2", { id: TITLE_ID }, title), ...tools, close);
  const dialog = make("dialog", { className: `dialog ${className}` }, head, ...content);
  dialog.setAttribute("aria-labelledby", TITLE_ID);

  const end = new AbortController();
  const { signal } = end;
  close.addEventListener("click", () => dialog.close(), { signal });
  const onPress = (event: Event) => {
    // Its content fills it, so the target is the dialog itself only for a press on the backdrop.
    if (event.target !== dialog) return;
    // The press would move the focus away from where it returns to.
    event.preventDefault();
    dialog.close();
  };
  dialog.addEventListener("mousedown", onPress, { signal });
  addEventListener("popstate", () => dialog.close(), { signal });
  dialog.addEventListener(
    "close",
    () => {
      end.abort();
      dialog.remove();
      onClose?.();
    },
    { signal },
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
