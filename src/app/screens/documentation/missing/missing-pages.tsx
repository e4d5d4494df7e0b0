import { useCallback, useMemo, useRef } from "react";
import type { MissingReportRow } from "#telemetry/index.ts";
import { useAddress } from "../../../data/address.ts";
import { formatCount, formatDay, plural } from "../../../format.ts";
import { Counted } from "../../../ui/counted.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ReaderText } from "../../../ui/reader-text.tsx";
import type { TableColumn, TableSegment } from "../../../ui/table/table-types.ts";
import { ActionDialog } from "../action-dialog.tsx";
import type { Report } from "../report.ts";
import { TablePage, useRangeReport } from "../table-page.tsx";
import { TextField } from "../text-field.tsx";
import { readMove } from "./read-move.ts";

const ORDER = { key: "count", isDescending: true };
const isOwn = ({ name }: { name: string }) => name.startsWith("/");

const SEGMENTS: readonly TableSegment<MissingReportRow>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "here", label: "Linked here", has: ({ from }) => from.some(isOwn) },
  { key: "elsewhere", label: "Linked elsewhere", has: ({ from }) => from.some((each) => !isOwn(each)) },
];

/** Requested addresses without a page. */
export function MissingPagesPage() {
  const read = useRangeReport<MissingReportRow[]>("missing");
  const { report } = read;
  const { params, change } = useAddress();
  const source = useMemo(() => namedRows(report), [report]);
  const unnamed = report.data?.find((row) => row.path === "");
  const chosen = report.data?.find((row) => row.path !== "" && row.path === params.get("do"));
  const close = useCallback(() => change({ do: null }), [change]);
  const actionOf = useCallback(
    (row: MissingReportRow) => (
      <button className="btn" type="button" onClick={() => change({ do: row.path })}>
        Redirect…<span className="vh"> {row.path}</span>
      </button>
    ),
    [change],
  );
  return (
    <TablePage
      title="Missing pages"
      lead="Requested addresses that have no page, with the pages and sites that link to them. Fix links on this site; add a redirect for links on other sites."
      read={read}
      unit="address"
      source={source}
      columns={COLUMNS}
      keyOf={(row) => row.path}
      textOf={(row) => `${row.path} ${row.from.map(({ name }) => name).join(" ")}`}
      searchLabel="Address or referrer"
      segments={SEGMENTS}
      order={ORDER}
      actions={actionOf}
      empty={<NoneMissing />}
      note={`Counted by day, without anything that could identify a person. ${describeUnnamed(unnamed)}`}
    >
      {chosen && <MoveDialog row={chosen} onClose={close} />}
    </TablePage>
  );
}

/** Rows without a name are left out. */
function namedRows(report: Report<MissingReportRow[]>) {
  const { data, error, dataUpdatedAt, refetch } = report;
  return { data: data?.filter(({ path }) => path !== ""), error, dataUpdatedAt, refetch };
}

const describeUnnamed = (row: MissingReportRow | undefined) =>
  row
    ? `${plural(row.count, "further request")} from scanners or for what cannot be a page ${row.count === 1 ? "is" : "are"} not listed by address.`
    : "";

const COLUMNS: readonly TableColumn<MissingReportRow>[] = [
  {
    key: "path",
    label: "Address",
    value: (row) => row.path,
    render: (row) => (
      <span className="mono">
        <ReaderText text={row.path} length={70} />
      </span>
    ),
  },
  {
    key: "count",
    label: "Requested",
    isNumber: true,
    value: (row) => row.count,
    render: (row) => <Counted count={row.count} unit="time" />,
  },
  {
    key: "from",
    label: "From",
    value: (row) => row.from[0]?.name ?? null,
    render: (row) => <Origins from={row.from} />,
  },
  {
    key: "last",
    label: "Last day",
    isNumber: true,
    isMinor: true,
    value: (row) => new Date(row.lastDay).toISOString(),
    render: (row) => formatDay(row.lastDay),
  },
];

const SHOWN_ORIGINS = 2;

function Origins({ from }: Pick<MissingReportRow, "from">) {
  if (from.length === 0) return <span className="subtle">unknown</span>;
  const others = from.length - SHOWN_ORIGINS;
  return (
    <span className="origins">
      {from.slice(0, SHOWN_ORIGINS).map(({ name, count }) => (
        <span key={name}>
          {isOwn({ name }) ? (
            <a className="link" href={name}>
              {name}
            </a>
          ) : (
            <ReaderText text={name} length={60} />
          )}{" "}
          <span className="subtle">{formatCount(count)}</span>
        </span>
      ))}
      {others > 0 && <span className="subtle">and {others} more</span>}
    </span>
  );
}

function MoveDialog({ row, onClose }: { row: MissingReportRow; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  return (
    <ActionDialog
      title="Redirect"
      about={
        <>
          From <mark className="mono">{row.path}</mark>
        </>
      }
      first={first}
      read={(form) => readMove(row.path, form)}
      canTry
      onClose={onClose}
    >
      <TextField
        name="to"
        label="Readers should go to"
        placeholder="/docs/cache/overview"
        hint="A page of the documentation, with an #anchor if a section replaced it."
        input={first}
      />
    </ActionDialog>
  );
}

function NoneMissing() {
  return (
    <EmptyState title="Every requested address has a page">
      <p>
        An address without a page appears here when a page of this site links to it, or after three requests
        for it. Scanners and files are counted without their addresses.
      </p>
    </EmptyState>
  );
}
