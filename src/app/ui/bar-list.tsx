import type { ReactNode } from "react";
import { formatCount, formatShare } from "../format.ts";
import { ReaderText } from "./reader-text.tsx";

interface Props {
  caption: string;
  /** Heads of the two columns. */
  head: [name: string, count: string];
  rows: { name: string; count: number }[];
  /** How many are shown; the others are added up. */
  limit?: number;
  /** Instead of a table without rows. */
  empty: ReactNode;
}

/** Shares as a table with bars: the words and figures say it all, the bar is the picture. */
export function BarList({ caption, head, rows, limit = 8, empty }: Props) {
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
    <section className="bar-list">
      <h2>{caption}</h2>
      {total === 0 ? (
        <div className="note">{empty}</div>
      ) : (
        <table>
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
                  <span className="bar" style={{ width: `${(row.count / total) * 100}%` }} />
                  <ReaderText text={row.name} length={48} />
                </th>
                <td>{formatCount(row.count)}</td>
                <td>{formatShare(row.count, total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
