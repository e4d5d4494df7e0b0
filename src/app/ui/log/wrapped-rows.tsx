import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffectEvent, useLayoutEffect } from "react";
import { LogFold } from "./log-fold.tsx";
import { keyOf, Line, type RowsProps, rowOfTarget } from "./log-rows.tsx";
import { countRows, HEAD_HEIGHT, LINE_HEIGHT, rowAt, sectionAt } from "./log-sections.ts";

/** Few, because rows of a very long line are expensive to draw. */
const OVERSCAN = 8;

/** Draws only the wrapped lines in view, which are measured, and the head of the current step. */
export function WrappedRows(props: RowsProps) {
  const { body, log, sections, target, stoppedAt } = props;
  const headOf = (row: number) => sectionAt(sections, row)?.start ?? 0;
  // A new function causes a recount of the rows, which is needed when a step opens.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rowAt(sections, log, index);
      return row ? keyOf(row) : index;
    },
    [sections, log],
  );
  // oxlint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: countRows(sections),
    getScrollElement: () => body,
    estimateSize: (index) => (headOf(index) === index ? HEAD_HEIGHT : LINE_HEIGHT),
    getItemKey,
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      const head = headOf(range.startIndex);
      const indexes = defaultRangeExtractor(range);
      return indexes.includes(head) ? indexes : [head, ...indexes];
    },
  });
  const goTo = useEffectEvent(() => {
    const row = rowOfTarget(props);
    if (row !== null) virtualizer.scrollToIndex(row, { align: "center" });
  });
  useLayoutEffect(() => {
    if (target && body) goTo();
  }, [target, body]);
  const passing = headOf(virtualizer.range?.startIndex ?? 0);
  return (
    <div className="log-all" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rowAt(sections, log, index);
        if (!row) return null;
        const isPassing = index === passing;
        return (
          <div
            key={key as string}
            className={isPassing ? "log-row is-passing" : "log-row"}
            data-index={index}
            ref={virtualizer.measureElement}
            style={isPassing ? undefined : { transform: `translateY(${start}px)` }}
          >
            {row.kind === "head" ? (
              <LogFold section={row.section} stoppedAt={stoppedAt} />
            ) : (
              <Line row={row} {...props} />
            )}
          </div>
        );
      })}
    </div>
  );
}
