import { useCallback, useMemo } from "react";
import { Link } from "react-router";
import type { SearchReportRow } from "#telemetry/index.ts";
import { useAddress, withParams } from "../../data/address.ts";
import { formatCount, formatDay, formatPosition } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { Counted } from "../../ui/counted.tsx";
import { MAX_QUERY_LENGTH } from "./explain/hits.ts";
import { SearchActionDialog } from "./search-action.tsx";
import { SEARCH_KINDS, type SearchKind } from "./search-kinds.ts";
import { TablePage, useRangeReport } from "./table-page.tsx";

const ORDER = { key: "count", isDescending: true };

export function SearchesPage() {
  const { params, change } = useAddress();
  const kind = SEARCH_KINDS.find((each) => each.key === params.get("kind")) ?? SEARCH_KINDS[0];
  const read = useRangeReport<SearchReportRow[]>(`searches?kind=${kind.key}`);
  const act = params.get("do");
  const chosen = read.report.data?.find((row) => row.query === act);
  const close = useCallback(() => change({ do: null }), [change]);
  const columns = useMemo(() => columnsOf(kind), [kind]);
  const actionOf = useCallback(
    (row: SearchReportRow) => <ActionButton kind={kind} row={row} onAct={(words) => change({ do: words })} />,
    [kind, change],
  );
  return (
    <TablePage
      title="Searches"
      lead={kind.about}
      read={read}
      name={kind.caption}
      unit="search"
      columns={columns}
      keyOf={(row) => row.query}
      textOf={(row) => row.query}
      searchLabel="Words"
      order={ORDER}
      actions={actionOf}
      empty={<NoSearches kind={kind} />}
      note="Words are counted by day, without anything that could identify a person, and are shown after three searches."
    >
      <KindTabs kind={kind} params={params} />
      {chosen && <SearchActionDialog kind={kind} query={chosen.query} onClose={close} />}
    </TablePage>
  );
}

function KindTabs({ kind, params }: { kind: SearchKind; params: URLSearchParams }) {
  return (
    <nav className="tabs" aria-label="Kind of searches">
      {SEARCH_KINDS.map((each) => (
        <Link
          key={each.key}
          to={
            withParams(params, {
              kind: each.key === "top" ? null : each.key,
              sort: null,
              row: null,
              do: null,
            }) || "?"
          }
          aria-current={each.key === kind.key ? "true" : undefined}
        >
          {each.label}
        </Link>
      ))}
    </nav>
  );
}

function columnsOf(kind: SearchKind): TableColumn<SearchReportRow>[] {
  const number = { isNumber: true, isMinor: true };
  return [
    {
      key: "query",
      label: "Query",
      value: (row) => row.query,
      render: (row) => (
        <Link
          className="figure-link"
          to={`/console/explain?q=${encodeURIComponent(row.query.slice(0, MAX_QUERY_LENGTH))}`}
        >
          <ReaderText text={row.query} />
        </Link>
      ),
    },
    {
      key: "count",
      label: "Count",
      isNumber: true,
      value: (row) => row.count,
      render: (row) => <Counted count={row.count} unit="search" />,
    },
    ...(kind.key === "no-hits"
      ? []
      : [
          {
            key: "without",
            label: "Without hits",
            ...number,
            value: (row: SearchReportRow) => row.withoutHits,
            render: (row: SearchReportRow) => formatCount(row.withoutHits),
          },
        ]),
    {
      key: "clicks",
      label: "Clicks",
      ...number,
      value: (row) => (row.measured > 0 ? row.clicks : null),
      render: (row) => <Clicks row={row} />,
    },
    {
      key: "position",
      label: "Mean position",
      ...number,
      value: (row) => row.meanPosition,
      render: (row) => formatPosition(row.meanPosition),
    },
    {
      key: "last",
      label: "Last day",
      ...number,
      value: (row) => new Date(row.lastDay).toISOString(),
      render: (row) => formatDay(row.lastDay),
    },
  ];
}

interface ActionButtonProps {
  kind: SearchKind;
  row: SearchReportRow;
  onAct: (words: string) => void;
}

function ActionButton({ kind, row, onAct }: ActionButtonProps) {
  return (
    <button className="btn" type="button" onClick={() => onAct(row.query)}>
      {kind.action}…<span className="vh"> for {row.query.slice(0, 80)}</span>
    </button>
  );
}

/** Clicks are known only for readers who consented; without any such reader it shows no zero. */
function Clicks({ row }: { row: SearchReportRow }) {
  if (row.measured === 0) return "–";
  return (
    <>
      {formatCount(row.clicks)} <span className="subtle">of {formatCount(row.measured)}</span>
    </>
  );
}

function NoSearches({ kind }: { kind: SearchKind }) {
  return (
    <EmptyState title={kind.emptyTitle}>
      <p>{kind.emptyText}</p>
      {kind.setting && (
        <p>
          Switched on by <code>{kind.setting}</code> in <code>site.config.ts</code>.
        </p>
      )}
    </EmptyState>
  );
}
