import type { CSSProperties } from "react";
import { GROUP_HEIGHT } from "./heights.ts";
import type { StepRow } from "./layout-timeline.ts";
import type { Span } from "./span.ts";

interface Props {
  span: Span;
  turn: NonNullable<StepRow["turn"]>;
  /** A time in percent of the axis. */
  at: (time: number) => string;
  /** Of the axis, milliseconds. */
  end: number;
}

/** Bars that are shorter than this share of the axis have no room for an elbow under them. */
const TINY = 0.02;

/** The elbow: the critical path goes on in another row. */
export function Turn({ span, turn, at, end }: Props) {
  const isTiny = span.end - span.start < end * TINY;
  const style = {
    "--s": at(isTiny ? span.start : span.end),
    "--rows": turn.rows,
    "--plus": `${turn.groups * GROUP_HEIGHT}px`,
  } as CSSProperties;
  return <i className={isTiny ? "turn tiny" : "turn"} style={style} />;
}
