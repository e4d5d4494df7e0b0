import { lazy, Suspense, useEffect } from "react";
import { type BodyProps, rowProps } from "./body-props.ts";
import { TableRow } from "./table-row.tsx";

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

/** The library for it is fetched with the first long list. */
const LazyBody = lazy(async () => ({ default: (await import("./virtual-body.tsx")).VirtualBody }));
// `lazy` loses the type of the rows.
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
