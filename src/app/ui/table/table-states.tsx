import { Icon } from "../icon.tsx";
import { formatCount, plural } from "../../format.ts";
import { type Conditions, type Filterable, findObstacle, listObstacles } from "./row-filter.ts";
import { classOf } from "./table-head.tsx";
import type { TableColumn } from "./table-types.ts";

interface SkeletonProps<Row> {
  name: string;
  columns: readonly TableColumn<Row>[];
  hasActions: boolean;
  /** Whether to reserve their space. */
  hasFilters: boolean;
}

const WAITING_ROWS = 6;
/** Lengths of a bar in its cell: names differ in length. */
const LENGTHS = ["long", "short", "medium"];

/** Rows of the real height under the real columns, after 150 ms. */
export function TableSkeleton<Row>({ name, columns, hasActions, hasFilters }: SkeletonProps<Row>) {
  return (
    <>
      {hasFilters && <div className="filters table-filters" />}
      <div className="section table-wait">
        <div className="table-panel">
          <table className="table" aria-busy="true" aria-label={name}>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  <th key={column.key} scope="col" className={classOf(column, index, columns)}>
                    {column.label}
                  </th>
                ))}
                {hasActions && (
                  <th scope="col" className="align-right">
                    <span className="vh">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody aria-hidden="true">
              {Array.from({ length: WAITING_ROWS }, (_, row) => (
                <tr key={row}>
                  {columns.map((column, index) => (
                    <td key={column.key} className={classOf(column, index, columns)}>
                      <Waiting length={LENGTHS[(row + index) % LENGTHS.length]} />
                    </td>
                  ))}
                  {hasActions && (
                    <td>
                      <Waiting />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <output className="table-foot">Loading {name.toLowerCase()}...</output>
      </div>
    </>
  );
}

/** A bar in place of text. */
const Waiting = ({ length }: { length?: string | undefined }) =>
  length && <span className={`skeleton ${length}`} />;

interface NoMatchProps<Row> {
  unit: string;
  input: Filterable<Row>;
  conditions: Conditions;
  show: (conditions: Conditions) => void;
  /** Only the server could count the matches. */
  isUncounted: boolean;
}

const NO_CONDITIONS: Conditions = { text: "", segment: "", values: new Map() };

/** The filtered list, the obstructing condition, and how many rows would match without it. */
export function NoMatch<Row>({ unit, input, conditions, show, isUncounted }: NoMatchProps<Row>) {
  const set = listObstacles(input, conditions);
  const found = isUncounted ? undefined : findObstacle(input, conditions);
  const units = plural(2, unit).replace(/^\S+ /, "");
  const quoted = (label: string) => <bdi>“{label}”</bdi>;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output cannot have a heading
    <div className="empty" role="status">
      <div className="dry" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
      <h2>
        No {units} match{" "}
        {set.map(({ label }, index) => (
          <span key={label}>
            {index > 0 && " and "}
            {quoted(label)}
          </span>
        ))}
      </h2>
      {found && (
        <p>
          {formatCount(found.count)} {found.count === 1 ? `${unit} matches` : `${units} match`} without{" "}
          {quoted(found.label)}.
        </p>
      )}
      <div className="row wrap">
        {found && set.length > 1 && (
          <button className="btn clip" type="button" onClick={() => show(found.without)}>
            Remove {quoted(found.label)}
          </button>
        )}
        <button className="btn" type="button" onClick={() => show(NO_CONDITIONS)}>
          <Icon name="x" />
          {set.length > 1 ? "Remove all filters" : <>Remove {quoted(set[0]?.label ?? "")}</>}
        </button>
      </div>
    </div>
  );
}
