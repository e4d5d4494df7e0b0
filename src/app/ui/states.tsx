import { useEffect, useState, type ReactNode } from "react";
import type { Report } from "../data/use-report.ts";
import { Icon } from "./icon.tsx";

/** Nothing for 200 ms, so that a quick answer does not flicker; after six seconds a word about the delay. */
function Waiting() {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    const timers = [200, 6000].map((delay, index) => setTimeout(() => setStage(index + 1), delay));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <output className="waiting">
      {stage > 0 && <span>Loading...</span>}
      {stage > 1 && (
        <span className="note">The database is busy or the range is large; the answer is still awaited.</span>
      )}
      {stage > 0 && <span className="running-line" />}
    </output>
  );
}

interface FailureProps {
  title: string;
  text: string;
  onRetry?: () => void;
}

export function Failure({ title, text, onRetry }: FailureProps) {
  return (
    <div className="notice notice-danger" role="alert">
      <Icon name="triangleAlert" />
      <div>
        <p className="notice-title">{title}</p>
        <p>{text}</p>
        {onRetry && (
          <button className="btn btn-line btn-sm" type="button" onClick={onRetry}>
            <Icon name="rotate" />
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** Says what will appear here, how to get a first entry, and which setting switches it on. */
  children: ReactNode;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface ShowProps<T> {
  report: Report<T>;
  again: () => void;
  /** What is read, for the failure: "The searches". */
  what: string;
  /** `at`: when the report came, in milliseconds since 1970. */
  children: (data: T, at: number) => ReactNode;
}

/** A report in each of its states. An old one is dimmed and marked as busy. */
export function Show<T>({ report, again, what, children }: ShowProps<T>) {
  if (report.status === "waiting") return <Waiting />;
  if (report.status === "failed")
    return <Failure title={`${what} could not be read`} text={report.error.message} onRetry={again} />;
  return (
    <div className="report" aria-busy={report.isOld} data-old={report.isOld}>
      {children(report.data, report.at)}
    </div>
  );
}
