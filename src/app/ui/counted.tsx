import { formatCount, plural } from "../format.ts";

/** A figure in a table; shows its unit when the table has no head. */
export function Counted({ count, unit }: { count: number; unit: string }) {
  return (
    <>
      {formatCount(count)}
      <span className="narrow-word">{plural(count, unit).slice(formatCount(count).length)}</span>
    </>
  );
}
