import type { RowData } from "@tanstack/react-table";
import { Failure } from "../failure.tsx";
import { TableSkeleton } from "./table-states.tsx";
import { TableView } from "./table-view.tsx";
import type { TableProps } from "./table-types.ts";
import { useBatched } from "./use-held-rows.ts";

/** A list whose search, filters, order and position are in the address. Over 200 rows it is virtual. */
export function DataTable<Row extends RowData>(props: TableProps<Row>) {
  const { name, source, columns, actions } = props;
  const data = useBatched(source.data);
  // A list that is read for the first time is shown at once, and one that was left as well.
  const rows = source.data && (data ?? source.data);
  if (rows) return <TableView {...props} rows={rows} />;
  if (source.error) return <Failure what={name} error={source.error} onRetry={() => void source.refetch()} />;
  return <TableSkeleton name={name} columns={columns} hasActions={actions !== undefined} />;
}
