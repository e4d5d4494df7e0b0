import {
  type ColumnDef,
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import { rankRows } from "./row-order.ts";
import type { TableColumn, TableOrder } from "./table-types.ts";

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
});

interface Input<Row> {
  data: readonly Row[];
  columns: readonly TableColumn<Row>[];
  /** Null: as they come. */
  order: TableOrder | null;
  /** By the row's index in `data`. Null: all. */
  matches: ((index: number) => boolean) | null;
}

/** Filtered and sorted. Give columns that stay the same from one rendering to the next. */
export function useRows<Row extends RowData>({ data, columns, order, matches }: Input<Row>): readonly Row[] {
  const ranks = useMemo(() => {
    const column = order && columns.find(({ key }) => key === order.key);
    return column ? rankRows(data.map(column.value), order.isDescending) : null;
  }, [data, columns, order?.key, order?.isDescending]);
  // One column stands for the whole row: conditions look at several columns at once, and orders are ranked before.
  const defs = useMemo<ColumnDef<typeof features, Row>[]>(
    () => [
      {
        id: "row",
        accessorFn: () => 0,
        sortFn: (a, b) => (ranks?.[a.index] ?? 0) - (ranks?.[b.index] ?? 0),
        filterFn: (row, _id, isShown: (index: number) => boolean) => isShown(row.index),
      },
    ],
    [ranks],
  );
  const state = useMemo(
    () => ({
      sorting: ranks ? [{ id: "row", desc: order?.isDescending ?? false }] : [],
      columnFilters: matches ? [{ id: "row", value: matches }] : [],
    }),
    [ranks, order?.isDescending, matches],
  );
  const table = useTable({ features, columns: defs, data, state });
  const { rows } = table.getRowModel();
  return useMemo(() => rows.map((row) => row.original), [rows]);
}
