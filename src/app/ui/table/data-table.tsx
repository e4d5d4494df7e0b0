import { Failure } from "../failure.tsx";
import { Loading } from "../loading.tsx";
import type { TableProps } from "./table-types.ts";

/** A list whose search, filters, order and position are in the address. Over 200 rows it is virtual. */
export function DataTable<Row>({
  name,
  unit,
  source,
  columns,
  keyOf,
  actions,
  empty,
  note,
}: TableProps<Row>) {
  const { data, error, refetch } = source;
  if (!data && error) return <Failure what={name} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what={name.toLowerCase()} />;
  if (data.length === 0) return empty;
  return (
    <div className="sec">
      <div className="tf" role="region" aria-label={name} tabIndex={0}>
        <table className="tb">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.key} scope="row">
                      {column.render(row)}
                    </th>
                  ) : (
                    <td key={column.key}>{column.render(row)}</td>
                  ),
                )}
                {actions && <td className="r">{actions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="tf-end">
        {data.length} {unit}s {note}
      </div>
    </div>
  );
}
