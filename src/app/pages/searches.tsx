import { useState } from "react";
import { Link } from "react-router";
import type { SearchReportRow } from "#telemetry/index.ts";
import { useAddress, withParams } from "../data/address.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatCount, formatDay, formatPosition } from "../format.ts";
import { DataTable, NAME_ORDERS, TIME_ORDERS, type Column } from "../ui/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Empty, Show } from "../ui/states.tsx";
import { SearchActionDialog } from "./search-action.tsx";
import { SEARCH_KINDS, type SearchKind } from "./search-kinds.ts";

export function SearchesPage() {
  const { params } = useAddress();
  const { query, range } = useRange();
  const kind = SEARCH_KINDS.find((each) => each.key === params.get("kind")) ?? SEARCH_KINDS[0];
  const path = `searches?kind=${kind.key}&${query}`;
  const [report, again] = useReport<SearchReportRow[]>(path);
  const [chosen, setChosen] = useState<SearchReportRow | null>(null);
  return (
    <>
      <PageHead title="Searches" exports={{ path, name: `searches-${kind.key}-${range.key}` }}>
        <nav className="tabs" aria-label="Kind of searches">
          {SEARCH_KINDS.map((each) => (
            <Link
              key={each.key}
              to={
                withParams(params, { kind: each.key === "top" ? null : each.key, sort: null, rows: null }) ||
                "?"
              }
              aria-current={each.key === kind.key ? "true" : undefined}
            >
              {each.label}
            </Link>
          ))}
        </nav>
        <p className="note">
          {kind.about} Words are counted by day, without what could identify somebody, and shown once they
          were searched three times.
        </p>
      </PageHead>
      <Show report={report} again={again} what="The searches">
        {(rows) =>
          rows.length === 0 ? (
            <NoSearches kind={kind} />
          ) : (
            <DataTable
              caption={kind.caption}
              rows={rows}
              columns={columnsOf(kind, setChosen)}
              keyOf={(row) => row.query}
              textOf={(row) => row.query}
              defaultOrder={{ key: "count", isDescending: true }}
              unit="search"
            />
          )
        }
      </Show>
      {chosen && <SearchActionDialog kind={kind} query={chosen.query} onClose={() => setChosen(null)} />}
    </>
  );
}

function columnsOf(kind: SearchKind, onAct: (row: SearchReportRow) => void): Column<SearchReportRow>[] {
  return [
    {
      key: "query",
      label: "Query",
      orders: NAME_ORDERS,
      sortValue: (row) => row.query,
      render: (row) => <ReaderText text={row.query} />,
    },
    {
      key: "count",
      label: "Count",
      isNumber: true,
      sortValue: (row) => row.count,
      render: (row) => formatCount(row.count),
    },
    {
      key: "without",
      label: "Without hits",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => row.withoutHits,
      render: (row) => formatCount(row.withoutHits),
    },
    {
      key: "clicks",
      label: "Clicks",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => (row.measured > 0 ? row.clicks : null),
      render: (row) => <Clicks row={row} />,
    },
    {
      key: "position",
      label: "Mean position",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => row.meanPosition,
      render: (row) => formatPosition(row.meanPosition),
    },
    {
      key: "last",
      label: "Last day",
      isNumber: true,
      isMinor: true,
      orders: TIME_ORDERS,
      sortValue: (row) => row.lastDay,
      render: (row) => formatDay(row.lastDay),
    },
    {
      key: "action",
      label: "Action",
      render: (row) => <ActionButton kind={kind} row={row} onAct={onAct} />,
    },
  ];
}

interface ActionButtonProps {
  kind: SearchKind;
  row: SearchReportRow;
  onAct: (row: SearchReportRow) => void;
}

function ActionButton({ kind, row, onAct }: ActionButtonProps) {
  return (
    <button className="btn btn-line btn-sm" type="button" onClick={() => onAct(row)}>
      {kind.action}
      <span className="vh"> for {row.query.slice(0, 80)}</span>
    </button>
  );
}

/** Clicks are known only for readers who agreed; without any such reader there is no zero to show. */
function Clicks({ row }: { row: SearchReportRow }) {
  if (row.measured === 0) return "–";
  return (
    <>
      {formatCount(row.clicks)} <span className="of">of {formatCount(row.measured)}</span>
    </>
  );
}

function NoSearches({ kind }: { kind: SearchKind }) {
  return (
    <Empty title={kind.emptyTitle}>
      <p>{kind.emptyText}</p>
      {kind.setting && (
        <p>
          Switched on by <code>{kind.setting}</code> in <code>site.config.ts</code>.
        </p>
      )}
    </Empty>
  );
}
