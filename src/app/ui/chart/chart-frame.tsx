import { type ReactNode, useId, useState } from "react";
import { Icon } from "../icon.tsx";

/** There are no other colours: other kinds of data go into rows. */
export type Tone = "cached" | "work" | "fail" | "plain";

export interface Series {
  label: string;
  tone: Tone;
  /** Next to its colour above the chart, when there is room for more than the label. */
  legend?: string;
}

export const TONE_CLASSES: Record<Tone, string> = {
  cached: "",
  work: "worked",
  fail: "failed",
  plain: "plain",
};

interface Props {
  /** The chart's title: "API calls, by day". */
  label: string;
  series: readonly Series[];
  /** The table's heads: one for the rows, then one for each figure. */
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  children: ReactNode;
}

/** A heading, a colour legend, and the same figures as a table. */
export function ChartFrame({ label, series, head, rows, children }: Props) {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-header chart-header">
        <h2 id={id}>{label}</h2>
        <span className="end legend">
          {series.length > 1 &&
            series.map((each) => (
              <span key={each.label}>
                <i className={`key ${TONE_CLASSES[each.tone]}`} />
                {each.legend ?? each.label}
              </span>
            ))}
        </span>
        <button
          className="icon-button small"
          type="button"
          aria-pressed={isTable}
          aria-label="Show as table"
          title="Show as table"
          onClick={() => setIsTable(!isTable)}
        >
          <Icon name="table" />
        </button>
      </div>
      {isTable ? (
        <ChartTable {...{ label, head, rows }} />
      ) : (
        <div className="panel chart-panel">{children}</div>
      )}
    </section>
  );
}

function ChartTable({ label, head, rows }: Pick<Props, "label" | "head" | "rows">) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <section className="table-panel chart-table" aria-label={`${label}, as a table`} tabIndex={0}>
      <table className="table keep">
        <caption className="vh">{label}</caption>
        <thead>
          <tr>
            {head.map((each, index) => (
              <th scope="col" key={each} className={index === 0 ? undefined : "align-right"}>
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th scope="row" key={index}>
                    {cell}
                  </th>
                ) : (
                  <td className="align-right" key={index}>
                    <span className="number">{cell}</span>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
