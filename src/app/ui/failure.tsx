import { useEffect, useEffectEvent, useState } from "react";
import { CallError } from "../data/call.ts";
import { CopyIconButton } from "./copy-icon-button.tsx";
import { Icon } from "./icon.tsx";
import { noteFailure } from "./retry-wait.ts";

interface Props {
  /** The unreadable data: "Tokens". */
  what: string;
  error: Error;
  /** Absent: retrying does not help. */
  onRetry?: () => void;
}

/** The failure, its cause, and what to do; shown instead of the unreadable data. */
export function Failure({ what, error, onRetry }: Props) {
  const requestId = error instanceof CallError ? error.requestId : undefined;
  return (
    <div className="panel empty" role="alert">
      <h2 className="row">
        <Icon name="circleX" className="text-fail" />
        {what} cannot be read
      </h2>
      <p>{describeCause(error)}</p>
      {onRetry && <Retry key={numberOf(error)} {...{ what, error, onRetry }} />}
      {requestId && (
        <p className="request mono text-2xs subtle">
          request {requestId}
          <CopyIconButton text={requestId} label="Copy the request id" />
        </p>
      )}
    </div>
  );
}

/** A server error's status precedes the server's words. */
function describeCause(error: Error): string {
  if (!(error instanceof CallError) || error.status < 500 || error.code === "unknown") return error.message;
  return `The server answered ${error.status}, “${error.message.replace(/\.$/, "")}”.`;
}

/** Each further failure has its own wait, even with the same message. */
const numbers = new WeakMap<Error, number>();
let lastNumber = 0;

function numberOf(error: Error): number {
  const number = numbers.get(error) ?? ++lastNumber;
  numbers.set(error, number);
  return number;
}

/** The server repeats its refusals. */
const isPassing = (error: Error) =>
  !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500;

function Retry({ what, error, onRetry }: Required<Props>) {
  const left = useSecondsLeft(what, isPassing(error), onRetry);
  return (
    <div className="row">
      <button className="btn" type="button" onClick={onRetry}>
        <Icon name="rotate" />
        Try again
      </button>
      {left !== null && (
        <span className="text-xs subtle">
          <span className="vh">or wait for the automatic retry</span>
          <span aria-hidden="true">or by itself in {left}s</span>
        </span>
      )}
    </div>
  );
}

/** Null: there is no automatic retry. */
function useSecondsLeft(what: string, isOn: boolean, onRetry: () => void): number | null {
  const [left, setLeft] = useState(() => (isOn ? noteFailure(what, Date.now()) : null));
  const retry = useEffectEvent(onRetry);
  const isCounting = left !== null && left > 0;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => {
      // No one waits for a hidden page.
      if (!document.hidden) setLeft((rest) => (rest ?? 0) - 1);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  useEffect(() => {
    if (left === 0) retry();
  }, [left]);
  return left;
}
