import { type ReactNode, useId } from "react";

interface Props {
  label: ReactNode;
  hint?: ReactNode;
  /** The value's error; replaces the hint. */
  error?: string | undefined;
  /** Gives the control its id, description and state. */
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** A label, a control, and a line below it. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const line = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": line ? `${id}-line` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {line && (
        <small id={`${id}-line`} className={error ? "text-fail" : undefined}>
          {line}
        </small>
      )}
    </div>
  );
}
