import type { RowData } from "@tanstack/react-table";
import { useDeferredValue, useMemo } from "react";
import { type Conditions, createMatcher, indexTexts, listObstacles } from "./row-filter.ts";
import { orderText } from "./row-order.ts";
import type { TableColumn, TableFilter, TableOrder, TablePages, TableProps } from "./table-types.ts";
import { useRows } from "./use-rows.ts";
import { useTableAddress } from "./use-table-address.ts";

export type ViewProps<Row> = TableProps<Row> & { rows: readonly Row[] };

const NO_FILTERS: readonly never[] = [];

/** The conditions in the address, and the matching rows, which may follow a moment later. */
export function useShownRows<Row extends RowData>(props: ViewProps<Row>) {
  const { rows: data, columns, pages, textOf, segments } = props;
  const filters: readonly TableFilter<Row>[] = props.filters ?? NO_FILTERS;
  // Paged lists are filtered and sorted by the server.
  const isLocal = pages === undefined;
  const isSortable = canSort(pages);
  const address = useTableAddress({
    orderKeys: useMemo(() => sortableOf(columns, isSortable).map(({ key }) => key), [columns, isSortable]),
    order: useStable(props.order),
    segmentKey: props.segmentKey ?? "show",
    filterKeys: useMemo(() => filters.map(({ key }) => key), [filters]),
  });
  const conditions = useDeferredValue(address.conditions);
  const order = useDeferredValue(address.order);
  const texts = useMemo(() => indexTexts(data, isLocal ? textOf : undefined), [data, textOf, isLocal]);
  const input = useMemo(() => ({ rows: data, texts, segments, filters }), [data, texts, segments, filters]);
  const hasConditions = listObstacles(input, conditions).length > 0;
  const matches = useMemo(
    () => (isLocal && hasConditions ? createMatcher(input, conditions) : null),
    [isLocal, hasConditions, input, conditions],
  );
  const rows = useRows({ data, columns, order: isSortable ? order : null, matches });
  return { address, input, conditions, rows, hasConditions, view: viewOf(conditions, order) };
}

/** Whether this browser has all rows. */
export const canSort = (pages: Pick<TablePages<never>, "isWhole"> | undefined): boolean =>
  pages === undefined || pages.isWhole === true;

/** Columns by which this browser can sort: none for a list that only the server has. */
export const sortableOf = <Row>(columns: readonly TableColumn<Row>[], isSortable: boolean) =>
  isSortable ? columns.filter(({ isSortable }) => isSortable !== false) : [];

const viewOf = ({ text, segment, values }: Conditions, order: TableOrder) =>
  JSON.stringify([text.trim(), segment, [...values], orderText(order)]);

/** Screens pass the order as a new object each time; only its contents count. */
function useStable({ key, isDescending }: TableOrder): TableOrder {
  return useMemo(() => ({ key, isDescending }), [key, isDescending]);
}
