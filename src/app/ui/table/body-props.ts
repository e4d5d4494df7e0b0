import type { Position } from "./position.ts";
import type { RowProps } from "./table-row.tsx";

export interface BodyProps<Row> extends Pick<RowProps<Row>, "columns" | "actions" | "onOpen"> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  currentKey: string | undefined;
  /** This row stays in the document when it is scrolled away. */
  focusKey: string | undefined;
  fresh: ReadonlySet<string>;
  gone: ReadonlySet<string>;
  pointing: { onPointerMove: () => void; onPointerLeave: () => void };
  position: Position;
}

export function rowProps<Row>(props: BodyProps<Row>, row: Row): RowProps<Row> {
  const key = props.keyOf(row);
  return {
    row,
    rowKey: key,
    columns: props.columns,
    actions: props.actions,
    onOpen: props.onOpen,
    isCurrent: key === props.currentKey,
    isNew: props.fresh.has(key),
    isGone: props.gone.has(key),
  };
}
