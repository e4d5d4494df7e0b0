import type { CSSProperties } from "react";
import { GROUP_HEIGHT } from "./heights.ts";
import type { StepRow } from "./layout-timeline.ts";
import type { Span } from "./span.ts";

interface Props {
  span: Span;
  turn: NonNullable<StepRow["turn"]>;
  /** Converts a time to percent of the axis. */
  at: (time: number) => string;
  /** The axis's end, milliseconds. */
  end: number;
}

/** Bars shorter than this share of the axis have no room for an elbow under them. */
const TINY = 0.02;

/** The elbow: the critical path continues in another row. */
export function Turn({ span, turn, at, end }: Props) {
  const isTiny = span.end - span.start < end * TINY;
  const style = {
    "--s": at(isTiny ? span.start : span.end),
    "--rows": turn.rows,
    "--plus": `${turn.groups * GROUP_HEIGHT}px`,
  } as CSSProperties;
  return <i className={isTiny ? "turn tiny" : "turn"} style={style} />;
}
