import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef } from "react";
import type { DialogProps } from "./overlay-types.ts";

/** Those that are open, the last one on top: it alone is closed by Esc and by a press beside it. */
const shown: object[] = [];
/** Every dialog hears of the same key: the one below is on top by the time that it does. */
const spent = new WeakSet<Event>();

/** On wide screens below the top, on narrow ones a sheet at the bottom. */
export function BaseDialog({ title, onClose, initialFocus, footer, isWide, isAlert, children }: DialogProps) {
  /** A press beside the dialog does not throw away what was typed. */
  const hasInput = useRef(false);
  const self = useRef({});
  useEffect(() => {
    const { current } = self;
    shown.push(current);
    return () => void shown.splice(shown.indexOf(current), 1);
  }, []);
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen, details) => {
        if (isOpen) return;
        const isBelow = shown.at(-1) !== self.current || spent.has(details.event);
        if (isBelow || (details.reason === "outside-press" && hasInput.current)) return details.cancel();
        spent.add(details.event);
        onClose();
      }}
    >
      <Dialog.Portal className="dlg-p">
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
