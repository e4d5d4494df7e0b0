import { type HTMLInputTypeAttribute, type ReactNode, type RefObject, useId, useLayoutEffect } from "react";
import { GateIcon, type GateIconName } from "./gate-icon.tsx";
import type { Work } from "./use-work.ts";

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The field's error. */
  error?: string | undefined;
  hint?: ReactNode;
  name: string;
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  inputMode?: "email" | "numeric" | "text";
  maxLength?: number;
  placeholder?: string;
  required?: boolean;
  /** The field takes the focus when the page opens. */
  isFirst?: boolean;
  className?: string;
  /** The field itself, for callers that move the focus. */
  element?: RefObject<HTMLInputElement | null>;
  spellCheck?: boolean;
}

/** A labelled field with its hint and its error. */
export function Field({
  label,
  onChange,
  error,
  hint,
  className = "",
  isFirst = false,
  element,
  ...input
}: FieldProps) {
  const id = useId();
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={`input ${className}`.trim()}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        ref={element ?? (isFirst ? focusOnce : undefined)}
        aria-invalid={error !== undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <small className="input-error" id={`${id}-error`}>
          {error}
        </small>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** Also selects the text, so that typing replaces the proposal. */
function focusOnce(element: HTMLInputElement | null) {
  if (!element || element.dataset["focused"]) return;
  element.dataset["focused"] = "true";
  element.focus();
  element.select();
}

interface ButtonProps {
  work: Work;
  /** The button's name while its work runs. */
  name: string;
  onPress?: () => void;
  kind?: "action" | "line" | "danger";
  icon?: GateIconName;
  children: ReactNode;
}

/** A wide button that waits while any work of its page runs; without `onPress` it submits its form. */
export function WorkButton({ work, name, onPress, kind = "line", icon, children }: ButtonProps) {
  return (
    <button
      className={`btn btn-${kind} btn-big`}
      type={onPress ? "button" : "submit"}
      // Not `disabled`, which would drop the focus.
      aria-disabled={work.busy !== null}
      aria-busy={work.busy === name}
      {...(onPress && { onClick: onPress })}
    >
      {icon && <GateIcon name={icon} />}
      {children}
    </button>
  );
}

/** Focuses the first invalid field after a refusal. @param errors a new object for each refusal */
export function useFocusOnErrors(errors: object | null): void {
  // Before the paint: someone who sees the refusal types at once.
  useLayoutEffect(() => {
    if (errors) document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  }, [errors]);
}
