import { type ReactNode, type Ref, useRef, useState } from "react";
import { describeFailure } from "../data/ask-server.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";

interface Props {
  /** "Delete the project web?" */
  title: ReactNode;
  /** The loss in figures, what stays, and whether it can be undone. */
  children: ReactNode;
  /** Repeats verb and figure: "Reset 18.4 GB". */
  confirm: string;
  /** "Keep it". */
  cancel: string;
  /** For actions that cost hours: the name that must be typed. */
  typed?: string;
  /** A rejection is shown in the dialog, which stays open. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. */
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
      isAlert
      initialFocus={typed === undefined ? safe : field}
      footer={
        <>
          <button ref={safe} className="btn" type="button" onClick={onClose}>
            {cancel}
          </button>
          <button
            className="btn danger action"
            type="button"
            aria-disabled={isOff || undefined}
            aria-busy={isBusy || undefined}
            onClick={() => !isOff && void run()}
          >
            {confirm}
          </button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <TypedName
          ref={field}
          name={typed}
          text={text}
          setText={setText}
          onEnter={() => !isOff && void run()}
        />
      )}
      {error && (
        <div className="note bad" role="alert">
          <Icon name="circleAlert" />
          <span>{error}</span>
        </div>
      )}
    </Dialog>
  );
}

interface TypedProps {
  ref: Ref<HTMLInputElement>;
  name: string;
  text: string;
  setText: (text: string) => void;
  onEnter: () => void;
}

function TypedName({ ref, name, text, setText, onEnter }: TypedProps) {
  return (
    <label className="field">
      <span>
        Type <code>{name}</code> to confirm
      </span>
      <input
        ref={ref}
        className="input"
        value={text}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onKeyDown={({ key }) => key === "Enter" && onEnter()}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
