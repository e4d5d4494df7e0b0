import { useEffectEvent, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { LogFold } from "./log-fold.tsx";
import { keyOf, Line, type RowsProps, rowOfTarget } from "./log-rows.tsx";
import { countRows, LINE_HEIGHT, rowAt, rowAtTop, sectionAt, topOfRow } from "./log-sections.ts";
import { scaleScroll } from "./scroll-scale.ts";

/** Few, because rows of a very long line are expensive to draw. */
const OVERSCAN = 8;

/**
 * Draws only the rows in view, and the head of the current step. A row's position follows from its number, so that nothing
 * is counted or stored for a million others.
 */
export function FixedRows(props: RowsProps) {
  const { body, log, sections, target } = props;
  const view = useView(body);
  const rows = countRows(sections);
  const scroll = scaleScroll(topOfRow(sections, rows), view.height);
  const seenTop = scroll.toRows(view.top);
  const first = Math.min(rowAtTop(sections, seenTop), Math.max(rows - 1, 0));
  const passing = sectionAt(sections, first)?.start ?? 0;
  const from = Math.max(first - OVERSCAN, 0);
  const to = Math.min(first + Math.ceil(view.height / LINE_HEIGHT) + OVERSCAN, rows);
  const shown = Array.from({ length: Math.max(to - from, 0) }, (_, index) => from + index);
  const goTo = useEffectEvent(() => {
    const row = rowOfTarget(props);
    if (row === null || !body) return;
    const top = scroll.toBox(topOfRow(sections, row) - (body.clientHeight - LINE_HEIGHT) / 2);
    body.scrollTo({ top, behavior: "instant" });
  });
  useLayoutEffect(() => {
    if (target && body) goTo();
  }, [target, body]);
  return (
    <div className="log-all" style={{ height: scroll.height }}>
      {(passing < from ? [passing, ...shown] : shown).map((index) => {
        const row = rowAt(sections, log, index);
        return (
          row && (
            <FixedRow
              key={keyOf(row)}
              {...props}
              row={row}
              top={topOfRow(sections, index) - seenTop + view.top}
              isPassing={index === passing}
            />
          )
        );
      })}
    </div>
  );
}

interface RowProps extends RowsProps {
  row: NonNullable<ReturnType<typeof rowAt>>;
  /** Within the box, in pixels. */
  top: number;
  isPassing: boolean;
}

function FixedRow({ row, top, isPassing, ...props }: RowProps) {
  return (
    <div
      className={isPassing ? "log-row is-passing" : "log-row"}
      style={isPassing ? undefined : { transform: `translateY(${top}px)` }}
    >
      {row.kind === "head" ? (
        <LogFold section={row.section} stoppedAt={props.stoppedAt} />
      ) : (
        <Line {...props} row={row} />
      )}
    </div>
  );
}

/** The visible part of the box, in pixels. */
function useView(body: HTMLElement | null): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    if (!body) return undefined;
    const look = () => {
      // Includes the scroll bar of a wide row: otherwise the row could leave the view, and the bar with it, forever.
      const [top, height] = [body.scrollTop, body.offsetHeight];
      setView((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    // Rows appear in the same frame as their new position.
    const lookNow = () => flushSync(look);
    const observer = new ResizeObserver(look);
    observer.observe(body);
    body.addEventListener("scroll", lookNow, { passive: true });
    return () => {
      observer.disconnect();
      body.removeEventListener("scroll", lookNow);
    };
  }, [body]);
  return view;
}
