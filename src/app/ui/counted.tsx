import { formatCount, plural } from "../format.ts";

/** A figure of a table; where the table has no head, with its unit. */
export function Counted({ count, unit }: { count: number; unit: string }) {
  return (
    <>
      {formatCount(count)}
      <span className="narrow-word">{plural(count, unit).slice(formatCount(count).length)}</span>
    </>
  );
}
