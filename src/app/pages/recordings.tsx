import { Link } from "react-router";
import type { RecordingRow } from "#telemetry/index.ts";
import { useRangeSearch } from "../data/address.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatBytes, formatCount, formatDateTime, formatDuration } from "../format.ts";
import { DataTable, TIME_ORDERS, type Column } from "../ui/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Empty, Show } from "../ui/states.tsx";

export function RecordingsPage() {
  const { query, range } = useRange();
  const search = useRangeSearch();
  const path = `recordings?${query}`;
  const [report, again] = useReport<RecordingRow[]>(path);
  return (
    <>
      <PageHead title="Recordings" exports={{ path, name: `recordings-${range.key}` }}>
        <p className="note">
          Visits of readers who agreed to be recorded. What they type is masked in their browser, before it is
          sent.
        </p>
      </PageHead>
      <Show report={report} again={again} what="The recordings">
        {(rows) =>
          rows.length === 0 ? (
            <NoRecordings />
          ) : (
            <DataTable
              caption="Recordings"
              rows={rows}
              columns={columnsOf(search)}
              keyOf={(row) => row.sessionId}
              textOf={(row) => row.paths.join(" ")}
              defaultOrder={{ key: "started", isDescending: true }}
              unit="recording"
            />
          )
        }
      </Show>
    </>
  );
}

function columnsOf(search: string): Column<RecordingRow>[] {
  const number = { isNumber: true, isMinor: true };
  return [
    {
      key: "started",
      label: "Started",
      orders: TIME_ORDERS,
      sortValue: (row) => row.startedAt,
      render: (row) => (
        <Link className="text-link" to={`/recordings/${encodeURIComponent(row.sessionId)}${search}`}>
          {formatDateTime(row.startedAt)}
        </Link>
      ),
    },
    {
      key: "length",
      label: "Length",
      isNumber: true,
      sortValue: (row) => row.endedAt - row.startedAt,
      render: (row) => formatDuration(row.endedAt - row.startedAt),
    },
    {
      key: "pages",
      label: "Pages",
      isMinor: true,
      sortValue: (row) => row.paths.length,
      render: (row) => <Paths paths={row.paths} />,
    },
    {
      key: "searches",
      label: "Searches",
      ...number,
      sortValue: (row) => row.searches,
      render: (row) => formatCount(row.searches),
    },
    {
      key: "errors",
      label: "Errors",
      isNumber: true,
      sortValue: (row) => row.errors,
      render: (row) => (row.errors > 0 ? <b className="bad">{formatCount(row.errors)}</b> : "0"),
    },
    {
      key: "size",
      label: "Size",
      ...number,
      sortValue: (row) => row.bytes,
      render: (row) => formatBytes(row.bytes),
    },
  ];
}

function Paths({ paths }: { paths: string[] }) {
  const [first, ...others] = paths;
  if (first === undefined) return "–";
  return (
    <>
      <code>
        <ReaderText text={first} length={40} />
      </code>
      {others.length > 0 && <span className="of"> and {others.length} more</span>}
    </>
  );
}

function NoRecordings() {
  return (
    <Empty title="No recordings in this range">
      <p>
        A visit is recorded only after the reader has chosen “Recording” in the question about consent. To see
        the first one, open the documentation in a private window, agree to it, and read for a few seconds.
      </p>
      <p>
        Switched on by <code>telemetry.recording: true</code> in <code>site.config.ts</code>. A browser that
        sends Global Privacy Control or Do Not Track is never asked.
      </p>
    </Empty>
  );
}
