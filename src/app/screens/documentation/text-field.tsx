import type { RefObject } from "react";
import { Field } from "../../ui/field.tsx";

interface TextFieldProps {
  name: string;
  label: string;
  value?: string;
  placeholder?: string;
  hint?: string;
  input?: RefObject<HTMLInputElement | null>;
}

export function TextField({ name, label, value, placeholder, hint, input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          className="input"
          ref={input}
          name={name}
          defaultValue={value}
          placeholder={placeholder}
          maxLength={400}
          autoComplete="off"
          {...control}
        />
      )}
    </Field>
  );
}
