import { type ReactNode, useRef, useState } from "react";
import { describeFailure } from "../gate/ask-server.ts";
import { Dialog } from "./dialog.tsx";

interface Props {
  /** "Delete the project web?" */
  title: ReactNode;
  /** What is lost in figures, what stays, whether it can be undone. */
  children: ReactNode;
  /** Repeats verb and figure: "Reset 18.4 GB". */
  confirm: string;
  /** "Keep it". */
  cancel: string;
  /** For what costs hours: the name that has to be typed. */
  typed?: string;
  /** A rejection is shown in the dialog, which stays. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** The question before something that cannot be undone. */
export function ConfirmDialog({ title, children, confirm, cancel, typed, onConfirm, onClose }: Props) {
  const [text, setText] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const run = async () => {
    setIsBusy(true);
    setError(null);
    await onConfirm().then(onClose, (cause: unknown) => {
      setIsBusy(false);
      setError(describeFailure(cause));
    });
  };
  const isOff = isBusy || (typed !== undefined && text !== typed);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      initialFocus={typed === undefined ? safe : field}
      footer={
        <>
          <button ref={safe} className="btn" type="button" onClick={onClose}>
            {cancel}
          </button>
          <button className="btn danger act" type="button" disabled={isOff} onClick={() => void run()}>
            {confirm}
          </button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <label className="field">
          <span>
            Type <code>{typed}</code> to confirm
          </span>
          <input
            ref={field}
            className="in"
            value={text}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      )}
      {error && <p role="alert">{error}</p>}
    </Dialog>
  );
}
