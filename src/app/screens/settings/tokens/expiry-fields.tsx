import { Field } from "../../../ui/field.tsx";
import { Segmented } from "../../../ui/segmented.tsx";
import type { Expiry } from "./token-words.ts";

interface Props {
  value: Expiry;
  /** `2027-02-18` */
  date: string;
  /** Milliseconds since 1970. */
  openedAt: number;
  error: string | undefined;
  onChange: (value: Expiry) => void;
  onDate: (date: string) => void;
}

const OPTIONS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "date", label: "A date" },
  { value: "never", label: "Never" },
] as const;

const DAY_MS = 86_400_000;

export function ExpiryFields({ value, date, openedAt, error, onChange, onDate }: Props) {
  return (
    <>
      <div className="field">
        <span>Expires</span>
        <Segmented label="Expires" options={OPTIONS} value={value} onChange={onChange} />
        {error && value !== "date" && <small className="text-fail">{error}</small>}
      </div>
      {value === "date" && (
        <Field label="Last day" hint="It works until the end of this day." error={error}>
          {(control) => (
            <input
              {...control}
              className="input small"
              type="date"
              required
              min={new Date(openedAt + DAY_MS).toISOString().slice(0, 10)}
              value={date}
              onChange={(event) => onDate(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}
