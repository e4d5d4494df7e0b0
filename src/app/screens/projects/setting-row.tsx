import { type ReactNode, useId, useState } from "react";

export type SaveState = "idle" | "saving" | "saved" | "failed";

interface Props {
  title: string;
  /** Explains the setting. */
  hint: string;
  /** The server's value. */
  saved: string;
  state: SaveState;
  /** Why the save failed; replaces the hint. */
  error?: ReactNode;
  /** Converts to the form of `saved`, where a value can be typed in several ways. */
  normalize?: (value: string) => string;
  /** Why the server would refuse the value, shown while typing. */
  check?: (value: string) => string | undefined;
  onSave: (value: string) => void;
  /** The value has been edited: the result of the last save no longer applies. */
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

/** One setting with its own button, which says "Saved" or "Not saved". Typed text stays, even if others change the setting. */
export function SettingRow(props: Props) {
  const { title, hint, saved, state, error, check, onSave, onEdit, children } = props;
  const { normalize = (text: string) => text } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  // Saved by this row, or by someone else with the same value: nothing is left to save.
  if (typed === saved) setTyped(null);
  const value = typed ?? saved;
  const isChanged = normalize(value) !== saved;
  const wrong = isChanged ? check?.(value) : undefined;
  const line = wrong ?? error;
  return (
    <form
      className="setting-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !wrong && state !== "saving") onSave(value);
      }}
    >
      <div>
        <h2>
          <label htmlFor={id}>{title}</label>
        </h2>
        <div
          id={`${id}-line`}
          className={line ? "text-xs text-fail" : "text-xs muted"}
          role={line ? "alert" : undefined}
        >
          {line ?? hint}
        </div>
      </div>
      <div className="setting-input">
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
        <span className="setting-save">
          <output className={state === "failed" ? "text-xs text-fail" : "text-xs subtle"}>
            {WORDS[state]}
          </output>
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
