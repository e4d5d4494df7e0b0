import { type ReactNode, useId } from "react";

export interface ChoiceOption<Value extends string> {
  value: Value;
  label: ReactNode;
  /** One sentence; for a disabled option, the reason. */
  text: ReactNode;
  isOff?: boolean;
}

interface Props<Value extends string> {
  label: string;
  options: readonly ChoiceOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice of a few options, each with a sentence. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const id = useId();
  return (
    <fieldset className="field choices">
      <legend>{label}</legend>
      {options.map((option) => (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words come from the option
        <label className="choice" key={option.value} data-off={option.isOff || undefined}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            disabled={option.isOff}
            onChange={() => onChange(option.value)}
          />
          <span>
            <b>{option.label}</b>
            <small>{option.text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
