import { useMemo } from "react";
import { Link } from "react-router";
import type { RecordingRow } from "#telemetry/index.ts";
import { useRangeSearch } from "../../data/address.ts";
import { formatBytes, formatCount, formatDateTime, formatDuration } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { Counted } from "../../ui/counted.tsx";
import { TablePage, useRangeReport } from "./table-page.tsx";

const ORDER = { key: "started", isDescending: true };

export function RecordingsPage() {
  const read = useRangeReport<RecordingRow[]>("recordings");
  const search = useRangeSearch();
  const columns = useMemo(() => columnsOf(search), [search]);
  return (
    <TablePage
      title="Recordings"
      lead="Visits of readers who agreed to be recorded. What they type is masked in their browser, before it is sent."
      read={read}
      unit="recording"
      columns={columns}
      keyOf={(row) => row.sessionId}
      textOf={(row) => row.paths.join(" ")}
      searchLabel="Path"
      order={ORDER}
      empty={<NoRecordings />}
    />
  );
}

function columnsOf(search: string): TableColumn<RecordingRow>[] {
  const number = { isNumber: true, isMinor: true };
  return [
    {
      key: "started",
      label: "Started",
      value: (row) => new Date(row.startedAt).toISOString(),
      render: (row) => (
        <Link to={`/console/recordings/${encodeURIComponent(row.sessionId)}${search}`}>
          {formatDateTime(row.startedAt)}
        </Link>
      ),
    },
    {
      key: "length",
      label: "Length",
      isNumber: true,
      value: (row) => (row.endedAt - row.startedAt) / 1000,
      render: (row) => formatDuration(row.endedAt - row.startedAt),
    },
    {
      key: "pages",
      label: "Pages",
      isMinor: true,
      value: (row) => row.paths.length,
      render: (row) => <Paths paths={row.paths} />,
    },
    {
      key: "searches",
      label: "Searches",
      ...number,
      value: (row) => row.searches,
      render: (row) => formatCount(row.searches),
    },
    {
      key: "errors",
      label: "Errors",
      isNumber: true,
      value: (row) => row.errors,
      render: (row) => <Errors count={row.errors} />,
    },
    {
      key: "size",
      label: "Size",
      isNumber: true,
      value: (row) => row.bytes,
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
      {others.length > 0 && <span className="subtle"> and {others.length} more</span>}
    </>
  );
}

const Errors = ({ count }: { count: number }) => (
  <span className={count > 0 ? "text-fail" : undefined}>
    <Counted count={count} unit="error" />
  </span>
);

function NoRecordings() {
  return (
    <EmptyState title="No recordings in this range">
      <p>
        A visit is recorded only after the reader has chosen “Recording” in the consent prompt. To see the
        first one, open the documentation in a private window, agree to it, and read for a few seconds.
      </p>
      <p>
        Switched on by <code>telemetry.recording: true</code> in <code>site.config.ts</code>. A browser that
        sends Global Privacy Control or Do Not Track is never asked.
      </p>
    </EmptyState>
  );
}
