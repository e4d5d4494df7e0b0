import type { RowData } from "@tanstack/react-table";
import { Failure } from "../failure.tsx";
import { TableSkeleton } from "./table-states.tsx";
import { TableView } from "./table-view.tsx";
import type { TableProps } from "./table-types.ts";
import { useBatched } from "./use-held-rows.ts";

/** A list with its search, filters, order and position in the address. Over 200 rows it is virtual. */
export function DataTable<Row extends RowData>(props: TableProps<Row>) {
  const { name, source, columns, actions, pages } = props;
  const data = useBatched(source.data);
  // A list's first data is shown immediately, and so is a page that the reader scrolls to.
  const rows = pages ? source.data : source.data && (data ?? source.data);
  // No row has an empty key: `?row=` names none.
  if (rows && props.currentKey === "") return <TableView {...props} rows={rows} currentKey={undefined} />;
  if (rows) return <TableView {...props} rows={rows} />;
  if (source.error) return <Failure what={name} error={source.error} onRetry={() => void source.refetch()} />;
  const hasFilters = Boolean(props.textOf ?? props.segments ?? props.filters);
  return <TableSkeleton {...{ name, columns, hasFilters }} hasActions={actions !== undefined} />;
}
