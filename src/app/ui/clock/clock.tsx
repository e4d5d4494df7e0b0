import { useNow } from "./use-now.ts";
import { formatTook } from "../../format.ts";

interface Props {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** It stands still from then on. */
  stoppedAt?: number;
  className?: string;
}

/** A running time. Assistive technology reads nothing ten times a second: the start stands in words elsewhere. */
export function Clock({ startedAt, stoppedAt, className = "" }: Props) {
  const now = useNow(stoppedAt === undefined, startedAt);
  return (
    <span className={`clock ${className}`.trim()} aria-hidden="true">
      {formatTook((stoppedAt ?? now) - startedAt)}
    </span>
  );
}
