import { memo, type ReactNode, type Ref } from "react";
import { classOf } from "./table-head.tsx";
import type { TableColumn } from "./table-types.ts";

export interface RowProps<Row> {
  row: Row;
  rowKey: string;
  columns: readonly TableColumn<Row>[];
  actions: ((row: Row) => ReactNode) | undefined;
  onOpen: ((row: Row) => void) | undefined;
  isCurrent: boolean;
  /** It arrived while the table was viewed. */
  isNew: boolean;
  /** It no longer exists; its place is kept under the pointer. */
  isGone: boolean;
  /** In a virtual table: from 0. */
  index?: number;
  ref?: Ref<HTMLTableRowElement>;
}

function Row<Row>({ row, rowKey, columns, actions, onOpen, ref, ...is }: RowProps<Row>) {
  const name = is.isCurrent ? "is-on" : is.isNew ? "is-new" : is.isGone ? "is-gone" : undefined;
  const hasResult = columns.some(({ isResult }) => isResult);
  return (
    <tr
      ref={ref}
      className={name}
      // Keys move the focus to rows that have no link.
      tabIndex={-1}
      aria-current={is.isCurrent || undefined}
      // The head is the first row.
      aria-rowindex={is.index === undefined ? undefined : is.index + 2}
      data-index={is.index}
      data-key={rowKey}
    >
      {columns.map((column, index) => {
        const content = column.isNumber ? (
          <span className="number">{column.render(row)}</span>
        ) : (
          column.render(row)
        );
        return index === 0 ? (
          <th key={column.key} scope="row" className={classOf(column, index, columns)}>
            {onOpen && !is.isGone ? (
              <button className="table-open clip" type="button" onClick={() => onOpen(row)}>
                {content}
              </button>
            ) : (
              content
            )}
          </th>
        ) : (
          <td key={column.key} className={classOf(column, index, columns)}>
            {content}
          </td>
        );
      })}
      {actions && (
        <td className={hasResult ? "align-right table-actions" : "align-right narrow-right table-actions"}>
          {is.isGone ? <span className="subtle">gone</span> : actions(row)}
        </td>
      )}
    </tr>
  );
}

/** Rendered again only when its own data has changed. */
export const TableRow = memo(Row) as typeof Row;
