import { lazy, Suspense, useState } from "react";
import { useAddress } from "../../../data/address.ts";
import { formatClock, formatCount, formatDateTime, formatDay } from "../../../format.ts";
import { ScrollFrame } from "../../../ui/scroll-frame.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PlotBoundary } from "./plot-boundary.tsx";
import type { Series } from "./series.ts";

interface Props {
  title: string;
  /** The address's parameter that stores "table". */
  name: string;
  times: number[];
  series: Series[];
  height?: number;
  /** Interval between two points. */
  step: "second" | "hour" | "day";
  /** Live rates: the legend shows the latest value, not the sum. */
  isLive?: boolean;
}

const Plot = lazy(async () => ({ default: (await import("./plot.tsx")).Plot }));

const steps = {
  second: { length: 1000, axis: formatClock, full: (at: number) => new Date(at).toLocaleTimeString("en-GB") },
  hour: { length: 3_600_000, axis: formatClock, full: formatDateTime },
  day: { length: 86_400_000, axis: formatDay, full: formatDay },
};

/** Lines or bars over time, or the same figures as a table. */
export function Chart({ title, name, times, series, height = 220, step, isLive = false }: Props) {
  const { params, change } = useAddress();
  const [point, setPoint] = useState<number | null>(null);
  const isTable = params.get(name) === "table";
  const { length, axis, full } = steps[step];
  const table = <FigureTable title={title} times={times} series={series} timeLabel={full} />;
  return (
    <section className="section">
      <div className="section-header doc-chart-header">
        <h2>{title}</h2>
        <Legend
          series={series}
          point={point ?? (isLive ? times.length - 1 : null)}
          time={point === null ? "" : full(times[point] ?? 0)}
        />
        <button
          className="btn end"
          type="button"
          aria-pressed={isTable}
          onClick={() => change({ [name]: isTable ? null : "table" })}
        >
          <Icon name="table" />
          Table<span className="vh"> of {title.toLowerCase()}</span>
        </button>
      </div>
      {isTable ? (
        table
      ) : (
        <PlotBoundary fallback={table}>
          {/* The space is reserved while the chunk loads: nothing moves. */}
          <Suspense fallback={<div style={{ height }} />}>
            <Plot
              times={times}
              series={series}
              height={height}
              step={length}
              timeLabel={axis}
              onPoint={setPoint}
            />
          </Suspense>
        </PlotBoundary>
      )}
    </section>
  );
}

interface LegendProps {
  series: Series[];
  point: number | null;
  time: string;
}

/** Sums, or the figures of the point under the pointer. */
function Legend({ series, point, time }: LegendProps) {
  return (
    <p className="legend">
      {series.map((each) => (
        <span key={each.label}>
          <span className="doc-key" data-kind={each.kind} style={{ color: `var(${each.colour})` }} />
          {each.label}{" "}
          <b>
            {formatCount(
              point === null ? each.values.reduce((sum, value) => sum + value, 0) : (each.values[point] ?? 0),
            )}
          </b>
        </span>
      ))}
      <span className="doc-time">{point === null ? "in all" : time || "now"}</span>
    </p>
  );
}

interface TableProps {
  title: string;
  times: number[];
  series: Series[];
  timeLabel: (at: number) => string;
}

function FigureTable({ title, times, series, timeLabel }: TableProps) {
  return (
    <ScrollFrame className="table-panel figure-table" label={title}>
      <table className="table keep counts">
        <caption className="vh">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map((each) => (
              <th key={each.label} scope="col" className="align-right">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{timeLabel(at)}</th>
              {series.map((each) => (
                <td key={each.label} className="align-right">
                  <span className="number">{formatCount(each.values[index] ?? 0)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
