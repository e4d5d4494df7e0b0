import { type ReactNode, useRef } from "react";
import { Dialog } from "./dialog.tsx";

/** Commands to run somewhere else: nothing is done here, so that all it can be is closed. */
export function CommandDialog({
  title,
  documentation,
  onClose,
  children,
}: {
  title: ReactNode;
  /** Address of the page about it. */
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
          <button ref={button} className="btn act" type="button" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
