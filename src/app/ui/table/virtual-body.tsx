import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  Fragment,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type BodyProps, rowProps } from "./body-props.ts";
import { TableRow } from "./table-row.tsx";

const NARROW = "(max-width: 639px)";
const NARROW_ROW = 68;
const WIDE_ROW = 38;

/** Only the rows near the window are in the document; empty rows replace the others. */
export function VirtualBody<Row>(props: BodyProps<Row>) {
  const { rows, keyOf, focusKey, position } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useOffset(body);
  const { isNarrow, height } = useRowHeight(body);
  const focused = focusKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === focusKey);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (focused < 0 || indexes.includes(focused)) return indexes;
      return [...indexes, focused].sort((a, b) => a - b);
    },
    [focused],
  );
  // A new function would cause the positions of all rows to be recomputed.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    [rows, keyOf],
  );
  // oxlint-disable-next-line react-hooks/incompatible-library -- what it changes is read here, in nothing that is kept
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: useCallback(() => height, [height]),
    overscan: 8,
    scrollMargin,
    rangeExtractor,
    getItemKey,
  });
  const shown = virtualizer.getVirtualItems();
  // The range of these items: before the call above it is that of the former rendering.
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => position.set({ first: startIndex + 1, last: Math.min(endIndex + 1, rows.length) }));
  let end = 0;
  const items = shown.flatMap((item) => {
    const row = rows[item.index];
    if (row === undefined) return [];
    const start = item.start - scrollMargin;
    const gap = start - end;
    end = start + item.size;
    return [
      <Fragment key={item.key}>
        <Gap height={gap} />
        <TableRow
          {...rowProps(props, row)}
          index={item.index}
          ref={isNarrow ? virtualizer.measureElement : undefined}
        />
      </Fragment>,
    ];
  });
  return (
    <tbody ref={body} {...props.pointing}>
      {items}
      <Gap height={virtualizer.getTotalSize() - end} />
    </tbody>
  );
}

function Gap({ height }: { height: number }) {
  return height < 0.5 ? null : <tr className="table-gap" aria-hidden="true" style={{ height }} />;
}

/** On wide screens all rows have the same height; measuring them all would lay out the page for each letter of a search. */
function useRowHeight(body: RefObject<HTMLElement | null>) {
  const isNarrow = useSyncExternalStore(watchWidth, () => matchMedia(NARROW).matches);
  const [wide, setWide] = useState(WIDE_ROW);
  useLayoutEffect(() => {
    const row = body.current?.querySelector("tr[data-key]");
    // oxlint-disable-next-line react/set-state-in-effect -- the height is known once there is a row
    if (row && !isNarrow) setWide(row.getBoundingClientRect().height);
  }, [body, isNarrow]);
  return { isNarrow, height: isNarrow ? NARROW_ROW : wide };
}

function watchWidth(listener: () => void) {
  const media = matchMedia(NARROW);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Pixels from the document's top; the content above may still grow. */
function useOffset(element: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const look = () => {
      const top = element.current?.getBoundingClientRect().top ?? 0;
      setOffset(Math.round(top + scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return offset;
}
