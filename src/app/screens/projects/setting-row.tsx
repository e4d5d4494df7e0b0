import { type ReactNode, useId, useState } from "react";

export type SaveState = "idle" | "saving" | "saved" | "failed";

interface Props {
  title: string;
  /** What it means. */
  hint: string;
  /** What the server has. */
  saved: string;
  state: SaveState;
  /** Why it is not saved; replaces the hint. */
  error?: ReactNode;
  /** As `saved` is written, where the same can be typed in several ways. */
  normalize?: (value: string) => string;
  /** What the server would refuse, told while it is typed. */
  check?: (value: string) => string | undefined;
  onSave: (value: string) => void;
  /** What is typed has changed: what was said of the last save is over. */
  onEdit: () => void;
  children: (control: RowControl) => ReactNode;
}

export interface RowControl {
  id: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  "aria-describedby": string;
  "aria-invalid": true | undefined;
}

/** One setting with a button of its own, which says "Saved" or "Not saved". What is typed stays, whatever others do. */
export function SettingRow(props: Props) {
  const { title, hint, saved, state, error, check, onSave, onEdit, children } = props;
  const { normalize = (text: string) => text } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  // Saved by this row, or by somebody else to the same value: nothing is left to save.
  if (typed === saved) setTyped(null);
  const value = typed ?? saved;
  const isChanged = normalize(value) !== saved;
  const wrong = isChanged ? check?.(value) : undefined;
  const line = wrong ?? error;
  return (
    <form
      className="setrow"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !wrong && state !== "saving") onSave(value);
      }}
    >
      <div>
        <h2>
          <label htmlFor={id}>{title}</label>
        </h2>
        <div id={`${id}-line`} className={line ? "xs t-fail" : "xs muted"} role={line ? "alert" : undefined}>
          {line ?? hint}
        </div>
      </div>
      <div className="set-in">
        {children({
          id,
          value,
          onChange: ({ target }) => {
            setTyped(target.value);
            onEdit();
          },
          "aria-describedby": `${id}-line`,
          "aria-invalid": line ? true : undefined,
        })}
        <span className="set-save">
          <output className={state === "failed" ? "xs t-fail" : "xs subtle"}>{WORDS[state]}</output>
          {isChanged && (
            <button className="btn" type="submit" disabled={Boolean(wrong) || state === "saving"}>
              {state === "failed" ? "Save again" : "Save"}
              <span className="vh"> {title.toLowerCase()}</span>
            </button>
          )}
        </span>
      </div>
    </form>
  );
}

const WORDS: { [State in SaveState]: string } = {
  idle: "",
  saving: "Saving...",
  saved: "Saved",
  failed: "Not saved",
};
