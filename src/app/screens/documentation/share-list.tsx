import type { CSSProperties, ReactNode } from "react";
import { formatCount, formatShare } from "../../format.ts";
import { ReaderText } from "../../ui/reader-text.tsx";

interface Props {
  caption: string;
  /** Heads of the two columns. */
  head: [name: string, count: string];
  rows: { name: string; count: number }[];
  /** Number of rows shown; the others are added up. */
  limit?: number;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}

/** Shares as a table with bars: the words and figures are complete, the bar only illustrates them. */
export function ShareList({ caption, head, rows, limit = 8, empty }: Props) {
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  const sorted = rows.toSorted((a, b) => b.count - a.count);
  const others = sorted.slice(limit);
  const shown = [
    ...sorted.slice(0, limit),
    ...(others.length > 0
      ? [{ name: `${others.length} others`, count: others.reduce((sum, row) => sum + row.count, 0) }]
      : []),
  ];
  return (
    <section className="section">
      <h2>{caption}</h2>
      <div className="panel">
        {total === 0 ? (
          <p className="panel-body text-xs muted">{empty}</p>
        ) : (
          <table className="shares" aria-label={caption}>
            <thead className="vh">
              <tr>
                <th scope="col">{head[0]}</th>
                <th scope="col">{head[1]}</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.name}>
                  <th scope="row">
                    <ReaderText text={row.name} length={48} />
                    <ShareBar part={row.count} whole={total} />
                  </th>
                  <td className="number">{formatCount(row.count)}</td>
                  <td className="number subtle">{formatShare(row.count, total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

/** A plain share of a whole; the figures are next to it. */
function ShareBar({ part, whole }: { part: number; whole: number }) {
  return (
    <span className="channel thin flat" aria-hidden="true">
      <i className="plain" style={{ "--n": part } as CSSProperties} />
      <i className="unfilled" style={{ "--n": whole - part } as CSSProperties} />
    </span>
  );
}
