import { Dialog } from "@base-ui/react/dialog";
import { useRef } from "react";
import type { DialogProps } from "./overlay-types.ts";

/** On wide screens below the top, on narrow ones a sheet at the bottom. */
export function BaseDialog({ title, onClose, initialFocus, footer, isWide, isAlert, children }: DialogProps) {
  /** A press beside the dialog does not throw away what was typed. */
  const hasInput = useRef(false);
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen, details) => {
        if (isOpen) return;
        if (details.reason === "outside-press" && hasInput.current) details.cancel();
        else onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="dlg-v">
          <Dialog.Popup
            className={isWide ? "dlg wide" : "dlg"}
            role={isAlert ? "alertdialog" : "dialog"}
            // The wrapper gives it back: it knows of menus that opened this.
            finalFocus={false}
            onInput={() => {
              hasInput.current = true;
            }}
            {...(initialFocus && { initialFocus })}
          >
            <div className="dlg-b">
              <Dialog.Title>{title}</Dialog.Title>
              {children}
            </div>
            {footer && <div className="dlg-f">{footer}</div>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
