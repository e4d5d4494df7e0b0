import { Dialog } from "@base-ui/react/dialog";
import type { DialogProps } from "../dialog.tsx";

export function BaseDialog({ title, onClose, initialFocus, footer, children }: DialogProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dlg" {...(initialFocus && { initialFocus })}>
          <div className="dlg-b">
            <Dialog.Title render={<h2 />}>{title}</Dialog.Title>
            {children}
          </div>
          {footer && <div className="dlg-f">{footer}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
