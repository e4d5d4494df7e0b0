import type { ReactNode } from "react";
import { useAddress } from "../data/address.ts";
import { plural } from "../format.ts";
import { Icon } from "./icon.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";
import { filterRows, orderText, parseOrder, sortRows, type Order, type SortBy } from "./table-rows.ts";

export interface Column<Row> extends SortBy<Row> {
  label: string;
  render: (row: Row) => ReactNode;
  /** How both orders are called in the list of them, descending first. */
  orders?: [string, string];
  isNumber?: boolean;
  /** On phones these stand under the first column, with their labels, and the column is not shown. */
  isMinor?: boolean;
}

interface Props<Row> {
  caption: string;
  rows: Row[];
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  /** What the filter looks at. */
  textOf: (row: Row) => string;
  defaultOrder: Order;
  /** "query": for "12 queries" the plural is with s. */
  unit: string;
}

const PAGE = 50;
const COUNT_ORDERS: [string, string] = ["highest first", "lowest first"];
export const TIME_ORDERS: [string, string] = ["newest first", "oldest first"];
export const NAME_ORDERS: [string, string] = ["Z to A", "A to Z"];

/** A list whose order, filter and length are in the address. The first column names the row. */
export function DataTable<Row>({ caption, rows, columns, keyOf, textOf, defaultOrder, unit }: Props<Row>) {
  const { params, change } = useAddress();
  const sortable = columns.filter((column) => column.sortValue);
  const order = parseOrder(
    params.get("sort"),
    sortable.map((column) => column.key),
    defaultOrder,
  );
  const filter = params.get("find") ?? "";
  const length = Math.max(Number(params.get("rows")) || PAGE, PAGE);
  const found = sortRows(filterRows(rows, textOf, filter), columns, order);
  const setOrder = (next: Order) => change({ sort: orderText(next), rows: null });

  return (
    <>
      <div className="table-tools">
        <FilterField filter={filter} onFilter={(find) => change({ find, rows: null })} />
        <SortChoice columns={sortable} order={order} onOrder={setOrder} />
        <output className="note">
          {found.length === rows.length
            ? plural(rows.length, unit)
            : `${found.length} of ${plural(rows.length, unit)}`}
        </output>
      </div>
      <ScrollFrame label={caption}>
        <table className="data-table is-sortable">
          <caption className="vh">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.key} column={column} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, length).map((row) => (
              <Row key={keyOf(row)} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p className="note no-rows">Nothing in this list matches the filter.</p>}
      </ScrollFrame>
      {found.length > length && (
        <button
          className="btn btn-line"
          type="button"
          onClick={() => change({ rows: String(length + PAGE) })}
        >
          Show {Math.min(PAGE, found.length - length)} more
        </button>
      )}
    </>
  );
}

function FilterField({ filter, onFilter }: { filter: string; onFilter: (text: string) => void }) {
  return (
    <label className="find">
      <span className="vh">Filter the list</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder="Filter"
        defaultValue={filter}
        maxLength={200}
        onChange={(event) => onFilter(event.target.value)}
      />
    </label>
  );
}

interface SortProps<Row> {
  /** Those that can be sorted by. */
  columns: Column<Row>[];
  order: Order;
  onOrder: (order: Order) => void;
}

function SortChoice<Row>({ columns, order, onOrder }: SortProps<Row>) {
  const keys = columns.map((column) => column.key);
  return (
    <label className="sort-choice">
      <span>Sort by</span>
      <select
        value={orderText(order)}
        onChange={(event) => onOrder(parseOrder(event.target.value, keys, order))}
      >
        {columns.flatMap((column) =>
          [true, false].map((isDescending) => (
            <option key={`${column.key}${isDescending}`} value={orderText({ key: column.key, isDescending })}>
              {column.label}, {(column.orders ?? COUNT_ORDERS)[isDescending ? 0 : 1]}
            </option>
          )),
        )}
      </select>
    </label>
  );
}

function Row<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  const [first, ...others] = columns;
  return (
    <tr>
      <th scope="row">
        {first?.render(row)}
        <span className="row-notes">
          {others
            .filter((column) => column.isMinor)
            .map((column) => (
              <span key={column.key}>
                {column.label} <b>{column.render(row)}</b>
              </span>
            ))}
        </span>
      </th>
      {others.map((column) => (
        <td key={column.key} className={classOf(column)}>
          {column.render(row)}
        </td>
      ))}
    </tr>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  order: Order;
  onOrder: (order: Order) => void;
}

function HeadCell<Row>({ column, order, onOrder }: HeadProps<Row>) {
  if (!column.sortValue)
    return (
      <th scope="col" className={classOf(column)}>
        {column.label}
      </th>
    );
  const isCurrent = order.key === column.key;
  // The first press sorts descending, a second one reverses the order.
  const isDescending = isCurrent ? !order.isDescending : true;
  const direction = order.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" className={classOf(column)} aria-sort={isCurrent ? direction : undefined}>
      <button type="button" onClick={() => onOrder({ key: column.key, isDescending })}>
        {column.label}
        <Icon name={isCurrent && !order.isDescending ? "chevronUp" : "chevronDown"} />
      </button>
    </th>
  );
}

const classOf = (column: { isNumber?: boolean; isMinor?: boolean }) =>
  [column.isNumber && "is-number", column.isMinor && "is-minor"].filter(Boolean).join(" ") || undefined;
