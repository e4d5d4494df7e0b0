import { formatBytes, formatCount, formatDay } from "../../format.ts";
import { Bars } from "../../ui/bars.tsx";
import { bytesAxis, type UseOfDay } from "./cache-figures.ts";

/** Requests and bytes, a bar for each day: the tool's own work below, saved work above. */
export function UseCharts({ days }: { days: readonly UseOfDay[] }) {
  const barsOf = (valuesOf: (day: UseOfDay) => number[]) =>
    days.map((day) => ({ label: formatDay(day.startAt), values: valuesOf(day) }));
  const sumOf = (name: "readBytes" | "writtenBytes") => days.reduce((sum, day) => sum + day[name], 0);
  const axis = bytesAxis(Math.max(0, ...days.map(({ readBytes, writtenBytes }) => readBytes + writtenBytes)));
  return (
    <div className="grid2">
      <Bars
        label="Requests, 14 days"
        series={[
          { label: "Miss", tone: "work", legend: "Miss, the tool did the work" },
          { label: "Hit", tone: "cached" },
        ]}
        bars={barsOf(({ hits, misses }) => [misses, hits])}
        format={formatCount}
      />
      <Bars
        label="Bytes, 14 days"
        series={[
          { label: "Stored", tone: "work", legend: `Stored, ${formatBytes(sumOf("writtenBytes"))}` },
          { label: "Served", tone: "cached", legend: `Served, ${formatBytes(sumOf("readBytes"))}` },
        ]}
        bars={barsOf(({ readBytes, writtenBytes }) => [writtenBytes, readBytes])}
        format={formatBytes}
        formatLine={axis.format}
        axisUnit={axis.unit}
      />
    </div>
  );
}
