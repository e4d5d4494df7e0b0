import { useLayoutEffect } from "react";
import type { LogLines } from "./log-lines.ts";
import { LogFold } from "./log-fold.tsx";
import { LogLineRow } from "./log-line.tsx";
import type { LineRange } from "./line-range.ts";
import { type LogRow, rowAt, rowOf, type Section } from "./log-sections.ts";
import type { Match } from "./search-log.ts";

export interface RowsProps {
  /** The scrolling element; null until it is drawn. */
  body: HTMLElement | null;
  log: LogLines;
  sections: readonly Section[];
  expanded: ReadonlySet<number>;
  query: string;
  current: Match | undefined;
  range: LineRange | null;
  isWrapped: boolean;
  stoppedAt: number | undefined;
  /** A line to bring into the middle; a new object each time. */
  target: { number: number; part: number } | null;
}

/** All rows, when there are few. */
export function LogRows(props: RowsProps) {
  const { body, log, sections, target } = props;
  useLayoutEffect(() => {
    const line = target && body?.querySelector<HTMLElement>(`[data-number="${target.number}"]`);
    if (line) centre(body, line);
  }, [target, body]);
  return sections.map((section) => (
    <div key={section.key} className="log-step">
      <LogFold section={section} stoppedAt={props.stoppedAt} />
      {Array.from({ length: section.rows - 1 }, (_, index) => {
        const row = rowAt(sections, log, section.start + 1 + index);
        return row?.kind === "line" && <Line key={keyOf(row)} row={row} {...props} />;
      })}
    </div>
  ));
}

/** Not `scrollIntoView`, which would also move the page. */
function centre(body: HTMLElement | null, line: HTMLElement) {
  if (!body) return;
  const offset = line.getBoundingClientRect().top - body.getBoundingClientRect().top;
  body.scrollTop += offset - body.clientHeight / 2;
}

export function Line({
  row,
  expanded,
  query,
  current,
  range,
}: RowsProps & { row: LogRow & { kind: "line" } }) {
  const { line, part, section } = row;
  return (
    <LogLineRow
      line={line}
      part={part}
      isWhole={expanded.has(line.number)}
      stepStart={section.steps[0]?.start ?? line.at}
      query={query}
      current={current?.number === line.number ? current.start : -1}
      isLinked={range !== null && line.number >= range.from && line.number <= range.to}
    />
  );
}

export const keyOf = (row: LogRow) =>
  row.kind === "head" ? `head ${row.section.key}` : `${row.line.number} ${row.part}`;

/** The row of a target, if its step is open. */
export function rowOfTarget({ log, sections, target }: RowsProps): number | null {
  const line = target && log.line(target.number - 1);
  return line ? rowOf(sections, log, line, target.part) : null;
}
