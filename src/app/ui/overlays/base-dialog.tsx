import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef } from "react";
import type { DialogProps } from "./overlay-types.ts";

/** Open dialogs, the last one on top: only that one is closed by Esc and by a press outside of it. */
const shown: object[] = [];
/** Every dialog receives the same key event: the one below has become the top one by then. */
const spent = new WeakSet<Event>();

/** On wide screens near the top, on narrow ones a sheet at the bottom. */
export function BaseDialog({ title, onClose, initialFocus, footer, isWide, isAlert, children }: DialogProps) {
  /** A press outside of the dialog must not discard typed text. */
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
      <Dialog.Portal className="dialog-portal">
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="dialog-viewport">
          <Dialog.Popup
            className={isWide ? "dialog wide" : "dialog"}
            role={isAlert ? "alertdialog" : "dialog"}
            // The wrapper returns the focus: it knows of menus that opened this.
            finalFocus={false}
            onInput={() => {
              hasInput.current = true;
            }}
            {...(initialFocus && { initialFocus })}
          >
            <div className="dialog-body">
              <Dialog.Title>{title}</Dialog.Title>
              {children}
            </div>
            {footer && <div className="dialog-footer">{footer}</div>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
