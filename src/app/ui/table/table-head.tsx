import { Icon } from "../icon.tsx";
import { describeOrders } from "./row-order.ts";
import type { TableColumn, TableOrder } from "./table-types.ts";

interface Props<Row> {
  columns: readonly TableColumn<Row>[];
  /** Null: this browser does not sort them. */
  order: TableOrder | null;
  setOrder: (order: TableOrder) => void;
  hasActions: boolean;
  /** Rows whose values decide which direction comes first. */
  sample: readonly Row[];
}

export function TableHead<Row>({ columns, order, setOrder, hasActions, sample }: Props<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) => {
          const isCurrent = order?.key === column.key;
          const direction = order?.isDescending ? "descending" : "ascending";
          // The first press sorts in the usual direction, later presses reverse it.
          const isDescending = isCurrent
            ? !order?.isDescending
            : describeOrders(sample.map(column.value)).first;
          return (
            <th
              key={column.key}
              scope="col"
              className={classOf(column, index, columns)}
              aria-sort={isCurrent ? direction : undefined}
            >
              {order && column.isSortable !== false ? (
                <button type="button" onClick={() => setOrder({ key: column.key, isDescending })}>
                  {column.label}
                  {isCurrent && <Icon name={order.isDescending ? "arrowDown" : "arrowUp"} />}
                </button>
              ) : (
                column.label
              )}
            </th>
          );
        })}
        {hasActions && (
          <th scope="col" className="align-right">
            <span className="vh">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** The classes of a column's cells. */
export function classOf<Row>(
  column: TableColumn<Row>,
  index: number,
  columns: readonly TableColumn<Row>[],
): string | undefined {
  const isMain = columns.some((each) => each.isMain) ? column.isMain : index === 0;
  const classes = [
    isMain && "main-column",
    column.isNumber && "align-right",
    column.isMinor && "minor",
    column.isResult && "narrow-right",
  ];
  return classes.filter(Boolean).join(" ") || undefined;
}
