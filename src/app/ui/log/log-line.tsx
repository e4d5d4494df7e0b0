import { memo } from "react";
import { parseAnsi, type Segment, type StyledLine } from "./ansi.ts";
import type { LogLine } from "./log-lines.ts";
import { PART_LENGTH, ROW_LENGTH } from "./log-sections.ts";
import { findIn } from "./search-log.ts";

export interface LineProps {
  line: LogLine;
  /** Part of a long line that is shown in full, from 0. */
  part: number;
  isWhole: boolean;
  /** The step's start, milliseconds since 1970. */
  stepStart: number;
  /** In lower case; "" for none. */
  query: string;
  /** Position of the search's current match; -1 when it is not in this line. */
  current: number;
  /** Whether the address names it. */
  isLinked: boolean;
}

/** The log handles clicks for all lines: a line is drawn once and then left alone. */
export const LogLineRow = memo(function LogLineRow(props: LineProps) {
  const { line, part, isWhole, stepStart, isLinked } = props;
  const isCut = !isWhole && line.text.length > ROW_LENGTH;
  return (
    <div
      className={["log-line", isLinked && "at", line.isError && "error"].filter(Boolean).join(" ")}
      data-number={line.number}
    >
      {part === 0 ? (
        <a href={`#L${line.number}`} aria-label={`Line ${line.number}`} id={`L${line.number}`}>
          {line.number}
        </a>
      ) : (
        <span />
      )}
      <span>{part === 0 && (Math.max(line.at - stepStart, 0) / 1000).toFixed(2)}</span>
      <span>
        <LineText {...props} />
        {isCut && (
          <button className="log-line-more" type="button" data-expand={line.number}>
            show all {Math.round(line.text.length / 1000).toLocaleString("en")} KB
          </button>
        )}
      </span>
    </div>
  );
});

function LineText({ line, part, isWhole, query, current }: LineProps) {
  const from = part * PART_LENGTH;
  const segments = cutSegments(styledOf(line, isWhole), from, from + (isWhole ? PART_LENGTH : ROW_LENGTH));
  const hits = query === "" ? [] : findIn(isWhole ? line.text : line.text.slice(0, ROW_LENGTH * 2), query);
  if (hits.length === 0) return segments.map((segment, index) => <Piece key={index} segment={segment} />);
  let at = from;
  return segments.map((segment, index) => {
    const start = at;
    at += segment.text.length;
    return (
      <Marked
        key={index}
        segment={segment}
        start={start}
        hits={hits}
        length={query.length}
        current={current}
      />
    );
  });
}

interface MarkedProps {
  segment: Segment;
  /** Position in the line. */
  start: number;
  hits: readonly number[];
  length: number;
  current: number;
}

function Marked({ segment, start, hits, length, current }: MarkedProps) {
  const pieces: React.ReactNode[] = [];
  const end = start + segment.text.length;
  let at = start;
  for (const hit of hits) {
    if (hit + length <= at || hit >= end) continue;
    const from = Math.max(hit, at);
    const to = Math.min(hit + length, end);
    if (from > at) pieces.push(segment.text.slice(at - start, from - start));
    pieces.push(
      <mark key={from} className={hit === current ? "on" : undefined}>
        {segment.text.slice(from - start, to - start)}
      </mark>,
    );
    at = to;
  }
  pieces.push(segment.text.slice(at - start));
  return <Piece segment={segment}>{pieces}</Piece>;
}

function Piece({ segment, children }: { segment: Segment; children?: React.ReactNode }) {
  const classes = [
    segment.tone !== "none" && `ansi-${segment.tone}`,
    segment.isBold && "ansi-bold",
    segment.isDim && segment.tone === "none" && "ansi-dim",
    segment.isUnderlined && "ansi-underlined",
  ].filter(Boolean);
  const content = children ?? segment.text;
  return classes.length === 0 ? content : <span className={classes.join(" ")}>{content}</span>;
}

/** Full lines can be long: each is parsed once. */
const whole = new WeakMap<LogLine, StyledLine>();

function styledOf(line: LogLine, isWhole: boolean): StyledLine {
  // Sequences have no width: the text read is longer than the text shown.
  if (!isWhole) return parseAnsi(line.text.slice(0, ROW_LENGTH * 2), line.style);
  const known = whole.get(line) ?? parseAnsi(line.text, line.style);
  whole.set(line, known);
  return known;
}

function cutSegments({ segments }: StyledLine, from: number, to: number): Segment[] {
  const cut: Segment[] = [];
  let at = 0;
  for (const segment of segments) {
    const end = at + segment.text.length;
    if (end > from && at < to) {
      const text = segment.text.slice(Math.max(from - at, 0), to - at);
      cut.push({ ...segment, text });
    }
    at = end;
    if (at >= to) break;
  }
  return cut;
}
