import { type ReactNode, useState, useSyncExternalStore } from "react";
import { formatClockSeconds, formatCount, plural } from "../../format.ts";
import { Icon } from "../icon.tsx";
import type { ExportFormat } from "./export-rows.ts";
import { saveFile } from "../save-file.ts";
import type { Position } from "./position.ts";
import type { TableColumn, TableSource } from "./table-types.ts";

interface Props<Row> {
  name: string;
  unit: string;
  /** The total in words, when the unit is not enough. */
  all: string | undefined;
  source: TableSource<Row>;
  /** Number of rows that pass the conditions. */
  count: number;
  /** Total number of rows; undefined: only the server knows. */
  total: number | undefined;
  position: Position;
  isVirtual: boolean;
  note: ReactNode;
  columns: readonly TableColumn<Row>[];
  readPages: (signal: AbortSignal) => AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** Position and count, the last error, CSV and JSON. */
export function TableFoot<Row>(props: Props<Row>) {
  const { name, source, isVirtual } = props;
  return (
    <div className={isVirtual ? "table-foot is-long" : "table-foot"}>
      <CountLine {...props} />
      {source.error && source.data && (
        <output className="row text-fail">
          {name} cannot be read. Showing data from {formatClockSeconds(source.dataUpdatedAt)}.
          <button
            className="btn bare"
            type="button"
            title={source.error.message}
            onClick={() => void source.refetch()}
          >
            <Icon name="rotate" />
            Try again
          </button>
        </output>
      )}
      <span className="end row">
        <ExportButtons {...props} />
      </span>
    </div>
  );
}

function CountLine<Row>({ note, position, isVirtual, ...props }: Props<Row>) {
  const shown = useSyncExternalStore(position.watch, position.get);
  const rows = isVirtual && shown ? `Rows ${formatCount(shown.first)} to ${formatCount(shown.last)} of ` : "";
  return (
    // The key makes a new line replace the former one: its note does not slide along.
    <span className="table-foot-count" key={rows}>
      {rows === "" ? (
        describeCount(props)
      ) : (
        <>
          {rows}
          <b>{formatCount(props.count)}</b>
          {props.total === undefined && ", more to come"}.
        </>
      )}
      {note && <> {note}</>}
    </span>
  );
}

type Counted = Pick<Props<unknown>, "unit" | "all" | "count" | "total">;

function describeCount({ unit, all, count, total }: Counted): string {
  if (total === undefined) return `${plural(count, unit)} so far.`;
  return `${count === total ? (all ?? plural(total, unit)) : `${formatCount(count)} of ${plural(total, unit)}`}.`;
}

interface Work {
  format: ExportFormat;
  count: number;
  stop: () => void;
}

function ExportButtons<Row>({ name, unit, columns, readPages }: Props<Row>) {
  const [work, setWork] = useState<Work | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (format: ExportFormat) => {
    const controller = new AbortController();
    setFailure(null);
    setWork({ format, count: 0, stop: () => controller.abort() });
    try {
      const { exportRows } = await import("./export-rows.ts");
      const file = await exportRows({
        format,
        columns,
        pages: readPages(controller.signal),
        onProgress: (count) => setWork((now) => now && { ...now, count }),
        signal: controller.signal,
      });
      saveFile(file, `${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.${format}`);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
    }
    setWork(null);
  };
  if (work)
    return (
      <>
        <output className="number">
          {work.format.toUpperCase()}: {plural(work.count, unit)}
        </output>
        <button className="btn bare" type="button" onClick={work.stop}>
          <Icon name="x" />
          Cancel
        </button>
      </>
    );
  return (
    <>
      {failure && (
        <span className="text-fail" role="alert">
          Not exported: {failure}
        </span>
      )}
      <button className="btn bare" type="button" onClick={() => void run("csv")}>
        <Icon name="download" />
        CSV
      </button>
      <button className="btn bare" type="button" onClick={() => void run("json")}>
        <Icon name="braces" />
        JSON
      </button>
    </>
  );
}
