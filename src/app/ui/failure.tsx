import { CallError } from "../data/call.ts";
import { Icon } from "./icon.tsx";

interface Props {
  /** What cannot be read: "Tokens". */
  what: string;
  error: Error;
  onRetry?: () => void;
}

/** What failed, why, and what to do; instead of what could not be read. */
export function Failure({ what, error, onRetry }: Props) {
  const requestId = error instanceof CallError ? error.requestId : undefined;
  return (
    <div className="panel empty" role="alert">
      <h2 className="row">
        <Icon name="circleX" />
        {what} cannot be read
      </h2>
      <p>{error.message}</p>
      {onRetry && (
        <button className="btn" type="button" onClick={onRetry}>
          <Icon name="rotate" />
          Try again
        </button>
      )}
      {requestId && <p className="mono xs">request {requestId}</p>}
    </div>
  );
}
