import { useMemo, useState } from "react";
import type { IngestHealth } from "#telemetry/index.ts";
import { Chart } from "../charts/chart.tsx";
import { useAddress } from "../data/address.ts";
import { useReport } from "../data/use-report.ts";
import { formatAgo, formatBytes, formatCount, formatDateTime, formatShare } from "../format.ts";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Failure, Show } from "../ui/states.tsx";
import { CountTable, Forwarding } from "./health-tables.tsx";
import { addSample, ratesOf, type Sample } from "./health-rates.ts";

const EVERY_TWO_SECONDS = 2000;

export function HealthPage() {
  const { params, change } = useAddress();
  const isPaused = params.get("live") === "off";
  const [report, again] = useReport<IngestHealth>("health", isPaused ? undefined : EVERY_TWO_SECONDS);
  return (
    <>
      <PageHead
        title="Ingest health"
        hasRange={false}
        exports={{ path: "health", name: "health", isList: false }}
      >
        <div className="live">
          <span className="state" data-on={!isPaused}>
            {isPaused ? "Paused" : "Live, every 2 seconds"}
          </span>
          <button
            className="btn btn-line btn-sm"
            type="button"
            onClick={() => change({ live: isPaused ? null : "off" })}
          >
            <Icon name={isPaused ? "play" : "pause"} />
            {isPaused ? "Resume" : "Pause"}
          </button>
        </div>
      </PageHead>
      <Show report={report} again={again} what="The state of the ingest">
        {(health, at) => <Health health={health} at={at} />}
      </Show>
    </>
  );
}

function Health({ health, at }: { health: IngestHealth; at: number }) {
  const accepted = Object.values(health.accepted).reduce((sum, count) => sum + count, 0);
  const refused = health.refused.reduce((sum, each) => sum + each.count, 0);
  return (
    <>
      {health.lastError !== null && (
        <Failure title="The database has reported an error" text={health.lastError} />
      )}
      <dl className="facts">
        <Fact name="Running since" value={formatDateTime(health.startedAt)} />
        <Fact name="Accepted" value={formatCount(accepted)} />
        <Fact name="Refused" value={formatCount(refused)} isBad={refused > 0} />
        <Fact name="Dropped" value={formatCount(health.dropped)} isBad={health.dropped > 0} />
        <Fact name="Waiting for the database" value={formatCount(health.queued)} />
      </dl>
      <Rates sample={{ at, total: accepted, startedAt: health.startedAt }} />
      <Database health={health} at={at} />
      <div className="two-columns">
        <CountTable
          title="Accepted since the start"
          head={["Endpoint", "Requests"]}
          rows={Object.entries(health.accepted).map(([endpoint, count]) => [endpoint, count])}
          empty="Nothing has come in. Open the documentation: its page views are the first."
        />
        <CountTable
          title="Refused since the start"
          head={["Endpoint and reason", "Requests"]}
          rows={health.refused.map((each) => [`${each.endpoint} · ${each.reason}`, each.count])}
          empty="Nothing was refused."
        />
      </div>
      <Forwarding services={health.forwarding} />
    </>
  );
}

function Fact({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isBad ? "bad" : undefined}>{value}</dd>
    </div>
  );
}

/** Requests per second while this page has been open. */
function Rates({ sample }: { sample: Sample }) {
  const [samples, setSamples] = useState<Sample[]>([sample]);
  if (samples.at(-1)?.at !== sample.at) setSamples(addSample(samples, sample));
  const { times, series } = useMemo(() => {
    const rates = ratesOf(samples);
    const values = rates.map((rate) => rate.perSecond);
    return {
      times: rates.map((rate) => rate.at),
      series: [
        {
          label: "Requests per second",
          values,
          colour: "--color-accent-line",
          kind: "line" as const,
          isFilled: true,
        },
      ],
    };
  }, [samples]);
  if (times.length < 2) return <p className="note">The rate is drawn after a few seconds.</p>;
  return (
    <Chart title="Coming in" name="rate" times={times} series={series} height={120} step="second" isLive />
  );
}

function Database({ health: { database }, at }: { health: IngestHealth; at: number }) {
  const share = formatShare(database.bytes, database.maxBytes);
  return (
    <section className="database">
      <h2>Database</h2>
      <p>
        <b>{formatBytes(database.bytes)}</b> of {formatBytes(database.maxBytes)} ({share}), kept for{" "}
        {database.retentionDays} days.
        {database.oldestAt !== null && ` The oldest entry is from ${formatAgo(database.oldestAt, at)}.`}
      </p>
      <div className="meter" aria-hidden="true">
        <span style={{ width: `${Math.min((database.bytes / database.maxBytes) * 100, 100)}%` }} />
      </div>
    </section>
  );
}
