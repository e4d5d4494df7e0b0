import { useMemo } from "react";
import { Link } from "react-router";
import type { CacheNamespace } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes, formatCount, formatShare, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { FillChannel, ShareChannel } from "../../ui/channel/channel.tsx";
import { Spark } from "../../ui/multiples.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn, TableSource } from "../../ui/table/table-types.ts";
import { sumDays } from "./cache-figures.ts";
import { nameOfTool } from "./tools.ts";
import { ToolMark } from "./tool-mark.tsx";

interface Props {
  /** The range of the figures. */
  days: number;
  source: TableSource<CacheNamespace>;
}

/** A row for each tool that has made requests. */
export function ConnectedTools({ days, source }: Props) {
  const { name } = useOrganization();
  const columns = useMemo(() => columnsOf(name, days), [name, days]);
  return (
    <section className="section cache-list">
      <div className="section-header">
        <h2>Connected tools</h2>
      </div>
      <DataTable
        name="Connected tools"
        unit="tool"
        countOf={countOf}
        source={source}
        columns={columns}
        keyOf={({ tool }) => tool}
        order={ORDER}
        empty={null}
      />
    </section>
  );
}

const ORDER = { key: "tool", isDescending: false };

const countOf = (rows: readonly CacheNamespace[]) =>
  `${plural(rows.length, "tool")}, ${formatBytes(rows.reduce((sum, row) => sum + Number(row.size_bytes), 0))}`;

function columnsOf(organization: string, days: number): TableColumn<CacheNamespace>[] {
  const sumOf = ({ counts }: CacheNamespace) => sumDays(counts, days);
  const rateOf = (row: CacheNamespace) => {
    const { hits, misses } = sumOf(row);
    return hits + misses > 0 ? hits / (hits + misses) : null;
  };
  return [
    {
      key: "tool",
      label: "Tool",
      isMain: true,
      value: ({ tool }) => nameOfTool(tool),
      render: (row) => <Tool row={row} to={addressOf(organization, `cache/${row.tool}`)} />,
    },
    {
      key: "rate",
      label: "Hit rate",
      value: rateOf,
      render: (row) => <Rate {...sumOf(row)} />,
    },
    {
      key: "hits",
      label: "Hits",
      isNumber: true,
      isMinor: true,
      value: (row) => sumOf(row).hits,
      render: (row) => <span className="number">{formatCount(sumOf(row).hits)}</span>,
    },
    {
      key: "misses",
      label: "Misses",
      isNumber: true,
      isMinor: true,
      value: (row) => sumOf(row).misses,
      render: (row) => <span className="number">{formatCount(sumOf(row).misses)}</span>,
    },
    {
      key: "stored",
      label: "Stored",
      value: ({ size_bytes }) => Number(size_bytes),
      render: ({ size_bytes, quota_bytes }) => (
        <Stored size={Number(size_bytes)} quota={Number(quota_bytes)} />
      ),
    },
    {
      key: "last",
      label: "Last request",
      isNumber: true,
      value: ({ last_request_at: at }) => at ?? null,
      render: ({ last_request_at: at }) => <Ago at={at} never="not in 14 days" />,
    },
  ];
}

function Tool({ row: { tool, counts }, to }: { row: CacheNamespace; to: string }) {
  return (
    <span className="row gap12 cache-tool">
      <span className="row">
        <ToolMark tool={tool} />
        <Link to={to}>{nameOfTool(tool)}</Link>
      </span>
      <span className="narrow-hidden row">
        <Spark tone="cached" values={counts.map(({ hits }) => Number(hits))} />
      </span>
    </span>
  );
}

/** Hits and misses as a bar, and as a figure. */
export function Rate({ hits, misses }: { hits: number; misses: number }) {
  return (
    <span className="row cache-rate">
      <ShareChannel
        parts={[
          { part: "cached", size: hits },
          { part: "worked", size: misses },
        ]}
      />
      <span className="number">{formatShare(hits, hits + misses)}</span>
    </span>
  );
}

function Stored({ size, quota }: { size: number; quota: number }) {
  return (
    <span className="row cache-stored">
      <FillChannel used={size} limit={quota} part="cached" />
      <span className="number">
        {formatBytes(size)} <span className="subtle">of {formatBytes(quota)}</span>
      </span>
    </span>
  );
}
