import { useMemo, useState } from "react";
import type { IngestHealth } from "#telemetry/reports/report-types.ts";
import { Chart } from "../charts/chart.tsx";
import { useAddress } from "../data/address.ts";
import { useReport } from "../data/use-report.ts";
import { formatAgo, formatBytes, formatCount, formatDateTime, formatShare } from "../format.ts";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Failure, Show } from "../ui/states.tsx";
import { addSample, ratesOf, type Sample } from "./health-rates.ts";

const everyTwoSeconds = 2000;

export function HealthPage() {
  const { params, change } = useAddress();
  const isPaused = params.get("live") === "off";
  const [report, again] = useReport<IngestHealth>("health", isPaused ? undefined : everyTwoSeconds);
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

/** What came in between two answers, for the time that this page has been open. */
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

interface CountTableProps {
  title: string;
  head: [string, string];
  rows: [name: string, count: number][];
  empty: string;
}

function CountTable({ title, head, rows, empty }: CountTableProps) {
  return (
    <section className="counts">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="note">{empty}</p>
      ) : (
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{head[0]}</th>
              <th scope="col" className="is-number">
                {head[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, count]) => (
              <tr key={name}>
                <th scope="row">
                  <ReaderText text={name} length={100} />
                </th>
                <td className="is-number">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const serviceNames = { posthog: "PostHog", sentry: "Sentry", algolia: "Algolia" };

function Forwarding({ services }: { services: IngestHealth["forwarding"] }) {
  return (
    <section className="counts">
      <h2>Forwarding</h2>
      {services.length === 0 ? (
        <p className="note">
          Everything stays on this server. With <code>POSTHOG_HOST</code> and <code>POSTHOG_KEY</code>,{" "}
          <code>SENTRY_DSN</code> or <code>ALGOLIA_INSIGHTS_KEY</code> set, a copy goes to those services.
        </p>
      ) : (
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">Service</th>
              {["Waiting", "Sent", "Failed"].map((head) => (
                <th key={head} scope="col" className="is-number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {services.map((each) => (
              <tr key={each.service}>
                <th scope="row">
                  {serviceNames[each.service]}
                  {each.lastError && (
                    <span className="bad-note">
                      <ReaderText text={each.lastError} length={200} />
                    </span>
                  )}
                </th>
                {[each.waiting, each.sent, each.failed].map((count, index) => (
                  // The three columns, in their order.
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={index} className="is-number">
                    {formatCount(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
