import { lazy, Suspense, useEffect } from "react";
import type { Position } from "./position.ts";
import { TableRow, type RowProps } from "./table-row.tsx";

export interface BodyProps<Row> extends Pick<RowProps<Row>, "columns" | "actions" | "onOpen"> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  currentKey: string | undefined;
  /** Which stays in the document when it is scrolled away. */
  focusKey: string | undefined;
  fresh: ReadonlySet<string>;
  gone: ReadonlySet<string>;
  pointing: { onPointerEnter: () => void; onPointerLeave: () => void };
  position: Position;
}

function PlainBody<Row>(props: BodyProps<Row>) {
  const { rows, position } = props;
  useEffect(() => position.set(null), [position]);
  return (
    <tbody {...props.pointing}>
      {rows.map((row) => (
        <TableRow key={props.keyOf(row)} {...rowProps(props, row)} />
      ))}
    </tbody>
  );
}

/** The library behind it is fetched with the first long list. */
const LazyBody = lazy(async () => ({ default: (await import("./virtual-body.tsx")).VirtualBody }));
// `lazy` forgets the type of the rows.
const VirtualBody = LazyBody as unknown as typeof PlainBody;
const FIRST_ROWS = 60;

export function TableBody<Row>({ isVirtual, ...props }: BodyProps<Row> & { isVirtual: boolean }) {
  const { rows } = props;
  if (!isVirtual) return <PlainBody {...props} />;
  return (
    <Suspense fallback={<PlainBody {...props} rows={rows.slice(0, FIRST_ROWS)} />}>
      <VirtualBody {...props} />
    </Suspense>
  );
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
