import { type ClipboardEvent, useEffect, useId, useRef } from "react";
import { Icon } from "./icon.tsx";
import { readClaims } from "./read-claims.ts";

export interface ClaimRow {
  /** For React only; not shown. */
  key: number;
  name: string;
  value: string;
}

interface Props {
  claims: readonly ClaimRow[];
  onChange: (claims: ClaimRow[]) => void;
  /** By the row's key. */
  errors?: ReadonlyMap<number, string>;
  /** Suggestions for names. */
  known?: readonly string[];
}

const MAX_CLAIMS = 20;
const MAX_LENGTH = 400;

/** Names and exact values of claims: "repository is acme/web". Pasted lines of `name: value` fill rows. */
export function ClaimsForm({ claims, onChange, errors, known }: Props) {
  const list = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    fields.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  const change = (key: number, part: Partial<ClaimRow>) =>
    onChange(claims.map((each) => (each.key === key ? { ...each, ...part } : each)));
  const add = () => {
    const key = nextKey(claims);
    wanted.current = `[data-claim="${key}"] input`;
    onChange([...claims, { key, name: "", value: "" }]);
  };
  const remove = (index: number) => {
    const neighbour = claims[index + 1] ?? claims[index - 1];
    wanted.current = neighbour ? `[data-claim="${neighbour.key}"] button` : ".claim-add";
    onChange(claims.filter((_each, place) => place !== index));
  };
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = readClaims(event.clipboardData.getData("text/plain").slice(0, MAX_CLAIMS * MAX_LENGTH));
    if (!pasted) return;
    event.preventDefault();
    onChange(fillRows(claims, index, pasted));
  };
  return (
    <fieldset className="claims" ref={fields}>
      <legend>Claims that must match</legend>
      {claims.map((claim, index) => (
        <ClaimFields
          key={claim.key}
          claim={claim}
          error={errors?.get(claim.key)}
          list={known && list}
          onChange={(part) => change(claim.key, part)}
          onPaste={(event) => paste(event, index)}
          onRemove={() => remove(index)}
        />
      ))}
      {known && (
        <datalist id={list}>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      )}
      {claims.length < MAX_CLAIMS ? (
        <button className="btn bare claim-add" type="button" onClick={add}>
          <Icon name="plus" />
          Add a claim
        </button>
      ) : (
        <p className="text-xs subtle">A trust relationship has at most {MAX_CLAIMS} claims.</p>
      )}
    </fieldset>
  );
}

const nextKey = (claims: readonly ClaimRow[]) => Math.max(0, ...claims.map(({ key }) => key)) + 1;

/** The row with the focus takes the first claim; a known name takes its new value; other claims are appended. */
function fillRows(claims: readonly ClaimRow[], index: number, pasted: { name: string; value: string }[]) {
  const rows = claims.map((each) => ({ ...each }));
  const start = rows[index];
  for (const [place, claim] of pasted.entries()) {
    const same = rows.find(({ name }) => name === claim.name) ?? (place === 0 ? start : undefined);
    if (same) Object.assign(same, claim);
    else if (rows.length < MAX_CLAIMS) rows.push({ key: nextKey(rows), ...claim });
  }
  return rows;
}

interface FieldsProps {
  claim: ClaimRow;
  error: string | undefined;
  list: string | undefined;
  onChange: (part: Partial<ClaimRow>) => void;
  onPaste: (event: ClipboardEvent) => void;
  onRemove: () => void;
}

function ClaimFields({ claim, error, list, onChange, onPaste, onRemove }: FieldsProps) {
  const errorId = useId();
  const field = {
    className: "input small mono",
    maxLength: MAX_LENGTH,
    autoComplete: "off",
    autoCapitalize: "none",
    spellCheck: false,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": error ? errorId : undefined,
    onPaste,
  };
  return (
    <div className="claim" data-claim={claim.key}>
      <input
        {...field}
        aria-label="Claim"
        list={list}
        value={claim.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <span className="subtle text-xs">is</span>
      <input
        {...field}
        aria-label={`Value of ${claim.name || "the claim"}`}
        value={claim.value}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      <button
        className="icon-button small"
        type="button"
        aria-label={`Remove ${claim.name || "the claim"}`}
        onClick={onRemove}
      >
        <Icon name="x" />
      </button>
      {error && (
        <small className="text-fail text-xs claim-error" id={errorId}>
          {error}
        </small>
      )}
    </div>
  );
}
