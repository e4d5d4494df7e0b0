import { type ReactNode, useRef } from "react";
import { Dialog } from "./dialog.tsx";

/** Commands to run somewhere else: the dialog itself does nothing and can only be closed. */
export function CommandDialog({
  title,
  documentation,
  onClose,
  children,
}: {
  title: ReactNode;
  /** Address of the documentation page. */
  documentation?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide
      initialFocus={button}
      footer={
        <>
          {documentation !== undefined && (
            <a className="btn" href={documentation}>
              Documentation
            </a>
          )}
          <button ref={button} className="btn action" type="button" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
