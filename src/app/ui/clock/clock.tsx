import { useNow } from "./use-now.ts";
import { formatTook } from "../../format.ts";

interface Props {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The clock stops at this time. */
  stoppedAt?: number;
  className?: string;
}

/** A running time. Assistive technology ignores the ten updates a second: the start is in words elsewhere. */
export function Clock({ startedAt, stoppedAt, className = "" }: Props) {
  const now = useNow(stoppedAt === undefined, startedAt);
  return (
    <span className={`clock ${className}`.trim()} aria-hidden="true">
      {formatTook((stoppedAt ?? now) - startedAt)}
    </span>
  );
}
