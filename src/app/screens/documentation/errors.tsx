import { useMemo } from "react";
import { Link } from "react-router";
import type { ErrorGroupRow } from "#telemetry/index.ts";
import { useRangeSearch } from "../../data/address.ts";
import { Ago } from "../../ui/ago.tsx";
import { CodeBlock } from "../../ui/code-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { Counted } from "../../ui/counted.tsx";
import { TablePage, useRangeReport } from "./table-page.tsx";

const ORDER = { key: "last", isDescending: true };

export function ErrorsPage() {
  const read = useRangeReport<ErrorGroupRow[]>("errors");
  const search = useRangeSearch();
  const columns = useMemo(() => columnsOf(search), [search]);
  return (
    <TablePage
      title="Errors"
      lead="The same error at the same place in the source is one line. Reports contain no identifier and no address."
      read={read}
      unit="group"
      columns={columns}
      keyOf={(row) => row.fingerprint}
      textOf={(row) => `${row.type} ${row.value} ${row.culprit}`}
      searchLabel="Error or place"
      order={ORDER}
      empty={<NoErrors />}
    />
  );
}

const timeOf = (at: number) => new Date(at).toISOString();

function columnsOf(search: string): TableColumn<ErrorGroupRow>[] {
  return [
    {
      key: "error",
      label: "Error",
      isMain: true,
      value: (row) => `${row.type}: ${row.value}`,
      render: (row) => <ErrorLink row={row} search={search} />,
    },
    {
      key: "place",
      label: "Place",
      value: (row) => row.culprit,
      render: (row) => <Code text={row.culprit} length={60} />,
    },
    {
      key: "platform",
      label: "Where",
      isMinor: true,
      value: (row) => row.platform,
      render: (row) => (row.platform === "server" ? "Server" : "Browser"),
    },
    {
      key: "count",
      label: "Count",
      isNumber: true,
      value: (row) => row.count,
      render: (row) => <Counted count={row.count} unit="report" />,
    },
    {
      key: "first",
      label: "First",
      isNumber: true,
      isMinor: true,
      value: (row) => timeOf(row.firstAt),
      render: (row) => <Ago at={timeOf(row.firstAt)} />,
    },
    {
      key: "last",
      label: "Last",
      isNumber: true,
      value: (row) => timeOf(row.lastAt),
      render: (row) => <Ago at={timeOf(row.lastAt)} />,
    },
    {
      key: "releases",
      label: "Release",
      isMinor: true,
      isSortable: false,
      value: (row) => row.releases.join(" "),
      render: (row) => <Code text={row.releases.at(-1) ?? "–"} length={20} />,
    },
  ];
}

function Code({ text, length }: { text: string; length: number }) {
  return (
    <code className="text-2xs subtle">
      <ReaderText text={text} length={length} />
    </code>
  );
}

function ErrorLink({ row, search }: { row: ErrorGroupRow; search: string }) {
  return (
    <Link className="row" to={`/console/errors/${encodeURIComponent(row.fingerprint)}${search}`}>
      <span className="clip">
        <ReaderText text={row.type} length={60} />{" "}
        <span className="secondary">
          <ReaderText text={row.value} length={140} />
        </span>
      </span>
    </Link>
  );
}

function NoErrors() {
  return (
    <EmptyState title="No errors in this range">
      <p>
        An error in a reader's browser or on the server appears here, grouped by its place in the source.
        Reports are necessary to run the site: they need no consent, and there is nothing to turn on.
      </p>
      <p>To see one, open a page of the documentation, then run this in the browser's console:</p>
      <CodeBlock name="the browser's console" text={'setTimeout(() => { throw new Error("test") })'} />
    </EmptyState>
  );
}
