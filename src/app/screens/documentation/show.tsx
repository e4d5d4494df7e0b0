import type { ReactNode } from "react";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import type { Report } from "./report.ts";

interface Props<T> {
  report: Report<T>;
  /** The report's name: "The overview". */
  what: string;
  /** `at`: when the report arrived, in milliseconds since 1970. */
  children: (data: T, at: number) => ReactNode;
}

/** A report in each of its states, unless it is a table. Data that was read stays below a failure. */
export function Show<T>({ report, what, children }: Props<T>) {
  const { data, error, dataUpdatedAt, refetch } = report;
  const failure = error && <Failure what={what} error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return failure ?? <Loading what={`${what.charAt(0).toLowerCase()}${what.slice(1)}`} />;
  return (
    <>
      {failure}
      {children(data, dataUpdatedAt)}
    </>
  );
}
