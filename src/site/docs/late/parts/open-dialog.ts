import { adoptStyles } from "../adopt-styles.ts";
import styles from "./dialog.css?inline";
import { make } from "./make.ts";

interface DialogParts {
  title: string;
  className: string;
  content: Node[];
  /** Buttons beside the one that closes. */
  tools?: Node[];
  onClose?: () => void;
}

const TITLE_ID = "dialog-title";

/**
 * Opens a modal dialog, which goes with Esc, its button, a press beside it or another page. The browser keeps the focus
 * inside and then gives it back to where it was.
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
    // Its content fills it, so only a press on what is behind has the dialog itself as its target.
    if (event.target !== dialog) return;
    // The press would take the focus from where it returns to.
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
