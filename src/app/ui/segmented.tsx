import type { ReactNode } from "react";
import { formatCount } from "../format.ts";

interface Props<Value extends string> {
  label: string;
  options: readonly { value: Value; label: ReactNode; count?: number }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice of a few options. */
export function Segmented<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- buttons are not fields
    <div className="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span className="number">{formatCount(option.count)}</span>}
        </button>
      ))}
    </div>
  );
}
