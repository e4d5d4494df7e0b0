import { useMemo } from "react";
import type { CacheNamespace } from "#api/gen/json-types.ts";
import { formatBytes, formatCount, formatPart, formatShare, plural } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { Figures } from "../../ui/figures.tsx";
import { sumTools } from "./cache-figures.ts";
import { Misses } from "./misses.tsx";
import { OtherQuotas } from "./other-quotas.tsx";
import { type RequestLine, ToolRequests } from "./tool-requests.tsx";
import type { CacheTool } from "./tools.ts";
import { UseCharts } from "./use-charts.tsx";
import { Writers } from "./writers.tsx";

interface Props {
  tool: CacheTool;
  namespace: CacheNamespace;
  lines: readonly RequestLine[];
  onReset: () => void;
}

/** A connected tool's requests, the writers of its entries, and its reset. */
export function ToolFigures({ tool, namespace, lines, onReset }: Props) {
  const { counts, last_request_at: last } = namespace;
  const days = useMemo(() => sumTools([{ counts }]), [counts]);
  const [hits, misses] = [Number(namespace.hits), Number(namespace.misses)];
  const [size, quota] = [Number(namespace.size_bytes), Number(namespace.quota_bytes)];
  return (
    <>
      <Figures
        figures={[
          {
            label: "Hit rate, 24 hours",
            figure: formatShare(hits, hits + misses),
            note: `${formatCount(hits)} of ${plural(hits + misses, "request")}`,
          },
          {
            label: "Stored",
            figure: formatBytes(size),
            note: `${formatPart(size, quota)} of ${formatBytes(quota)}`,
          },
          {
            label: "Entries",
            figure: formatCount(Number(namespace.entries)),
            note: "the least recently used go first",
          },
          {
            label: "Last request",
            figure: <Ago at={last} never="–" />,
            note: last ? undefined : "not in 14 days",
          },
        ]}
      />
      <UseCharts days={days} />
      <div className="grid-side cache-side">
        <div className="section">
          <Misses tool={tool} />
          <Writers tool={tool} />
        </div>
        <div className="section">
          <ToolRequests tool={tool} lines={lines} />
          <OtherQuotas tool={tool} />
          <section className="panel settings-danger cache-reset">
            <h2>Reset this cache</h2>
            <p className="text-xs muted">
              Removes every entry of {tool.name}. Other tools keep theirs. There is no undo.
            </p>
            <button className="btn danger" type="button" onClick={onReset}>
              Reset…
            </button>
          </section>
        </div>
      </div>
    </>
  );
}
