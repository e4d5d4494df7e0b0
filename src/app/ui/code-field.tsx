import type { RefObject } from "react";
import { Field } from "./field.tsx";

interface Props {
  name: "totp" | "recovery";
  label: string;
  hint: string;
  input: RefObject<HTMLInputElement | null>;
  /** The code's error. */
  error: string | undefined;
  value: string;
  onChange: (text: string) => void;
}

/** An app's six digits, or a recovery code. */
export function CodeField({ name, label, hint, input, error, value, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          ref={input}
          className="input mono"
          name={name}
          inputMode={name === "totp" ? "numeric" : "text"}
          autoComplete={name === "totp" ? "one-time-code" : "off"}
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
