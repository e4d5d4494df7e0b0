import { Link } from "react-router";
import type { ErrorGroupRow } from "#telemetry/index.ts";
import { useRangeSearch } from "../data/address.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatAgo, formatCount } from "../format.ts";
import { DataTable, NAME_ORDERS, TIME_ORDERS, type Column } from "../ui/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Empty, Show } from "../ui/states.tsx";

export function ErrorsPage() {
  const { query, range } = useRange();
  const search = useRangeSearch();
  const path = `errors?${query}`;
  const [report, again] = useReport<ErrorGroupRow[]>(path);
  return (
    <>
      <PageHead title="Errors" exports={{ path, name: `errors-${range.key}` }}>
        <p className="note">
          The same error at the same place of the source is one line. Reports carry no identifier and no
          address.
        </p>
      </PageHead>
      <Show report={report} again={again} what="The errors">
        {(rows, at) =>
          rows.length === 0 ? (
            <NoErrors />
          ) : (
            <DataTable
              caption="Errors"
              rows={rows}
              columns={columnsOf(search, at)}
              keyOf={(row) => row.fingerprint}
              textOf={(row) => `${row.type} ${row.value} ${row.culprit}`}
              defaultOrder={{ key: "last", isDescending: true }}
              unit="group"
            />
          )
        }
      </Show>
    </>
  );
}

function columnsOf(search: string, now: number): Column<ErrorGroupRow>[] {
  return [
    {
      key: "error",
      label: "Error",
      orders: NAME_ORDERS,
      sortValue: (row) => row.type,
      render: (row) => <ErrorLink row={row} search={search} />,
    },
    {
      key: "platform",
      label: "Where",
      isMinor: true,
      orders: NAME_ORDERS,
      sortValue: (row) => row.platform,
      render: (row) => (row.platform === "server" ? "Server" : "Browser"),
    },
    {
      key: "count",
      label: "Count",
      isNumber: true,
      sortValue: (row) => row.count,
      render: (row) => formatCount(row.count),
    },
    {
      key: "first",
      label: "First",
      isNumber: true,
      isMinor: true,
      orders: TIME_ORDERS,
      sortValue: (row) => row.firstAt,
      render: (row) => formatAgo(row.firstAt, now),
    },
    {
      key: "last",
      label: "Last",
      isNumber: true,
      isMinor: true,
      orders: TIME_ORDERS,
      sortValue: (row) => row.lastAt,
      render: (row) => formatAgo(row.lastAt, now),
    },
    {
      key: "releases",
      label: "Release",
      isMinor: true,
      render: (row) => <ReaderText text={row.releases.at(-1) ?? "–"} length={20} />,
    },
  ];
}

function ErrorLink({ row, search }: { row: ErrorGroupRow; search: string }) {
  return (
    <Link className="error-link" to={`/errors/${encodeURIComponent(row.fingerprint)}${search}`}>
      <b>
        <ReaderText text={row.type} length={60} />
      </b>
      <span>
        <ReaderText text={row.value} length={140} />
      </span>
      <code>
        <ReaderText text={row.culprit} length={90} />
      </code>
    </Link>
  );
}

function NoErrors() {
  return (
    <Empty title="No errors in this range">
      <p>
        An error in a reader's browser or on the server appears here, grouped by its place in the source.
        Reports are necessary to run the site: they need no agreement and nothing has to be switched on.
      </p>
      <p>
        To see one, open a page of the documentation, then run{" "}
        <code>
          setTimeout(() =&gt; {"{"} throw new Error("test") {"}"})
        </code>{" "}
        in the browser's console.
      </p>
    </Empty>
  );
}
