import { type CSSProperties, useMemo, useState } from "react";
import type { IngestHealth } from "#telemetry/index.ts";
import { useAddress } from "../../data/address.ts";
import { formatAgo, formatBytes, formatCount, formatDateTime, formatShare } from "../../format.ts";
import { Figures } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import { Status } from "../../ui/status.tsx";
import { Chart } from "./charts/chart.tsx";
import { CountTable, Forwarding } from "./count-table.tsx";
import { addSample, ratesOf, type Sample } from "./health-rates.ts";
import { useReport } from "./report.ts";
import { Downloads, ReportPage } from "./report-page.tsx";
import { Show } from "./show.tsx";

const EVERY_TWO_SECONDS = 2000;

export function HealthPage() {
  const { params, change } = useAddress();
  const isPaused = params.get("live") === "off";
  const report = useReport<IngestHealth>("health", isPaused ? null : EVERY_TWO_SECONDS);
  const toggle = () => {
    change({ live: isPaused ? null : "off" });
    if (isPaused) void report.refetch();
  };
  return (
    <ReportPage
      title="Ingest health"
      hasRange={false}
      report={report}
      lead={report.data && `Counted since the server started on ${formatDateTime(report.data.startedAt)}.`}
      actions={
        <>
          <Status
            state={isPaused ? "canceled" : "succeeded"}
            word={isPaused ? "Paused" : "Live, every 2 seconds"}
          />
          <button className="btn" type="button" onClick={toggle}>
            <Icon name={isPaused ? "play" : "pause"} />
            {isPaused ? "Resume" : "Pause"}
          </button>
          <Downloads path="health" name="health" formats={["json"]} />
        </>
      }
    >
      <Show report={report} what="The state of the ingest">
        {(health, at) => <Health health={health} at={at} />}
      </Show>
    </ReportPage>
  );
}

function Health({ health, at }: { health: IngestHealth; at: number }) {
  const accepted = Object.values(health.accepted).reduce((sum, count) => sum + count, 0);
  const refused = health.refused.reduce((sum, each) => sum + each.count, 0);
  return (
    <>
      {health.lastError !== null && (
        <div className="note bad" role="alert">
          <Icon name="triangleAlert" />
          <p>
            <b>The database has reported an error.</b> <ReaderText text={health.lastError} length={400} />
          </p>
        </div>
      )}
      <UsedUp refused={health.refused} />
      <Figures
        figures={[
          { label: "Accepted", figure: formatCount(accepted) },
          { label: "Refused", figure: <Bad count={refused} /> },
          { label: "Dropped", figure: <Bad count={health.dropped} /> },
          { label: "Waiting for the database", figure: formatCount(health.queued) },
        ]}
      />
      <Rates sample={{ at, total: accepted, startedAt: health.startedAt }} />
      <Database health={health} at={at} />
      <Kinds kinds={health.database.kinds} />
      <div className="grid2">
        <CountTable
          title="Accepted"
          heads={["Endpoint", "Requests"]}
          rows={Object.entries(health.accepted).map(([endpoint, count]) => ({
            key: endpoint,
            name: <code>{endpoint}</code>,
            counts: [count],
          }))}
          empty="Nothing received yet. Open the documentation: page views arrive first."
        />
        <CountTable
          title="Refused"
          heads={["Endpoint and reason", "Requests"]}
          rows={health.refused.map(({ endpoint, reason, count }) => ({
            key: `${endpoint} ${reason}`,
            name: (
              <>
                <code>{endpoint}</code> <span className="secondary">{reason}</span>
              </>
            ),
            counts: [count],
          }))}
          empty="Nothing was refused."
        />
      </div>
      <Forwarding services={health.forwarding} />
    </>
  );
}

const Bad = ({ count }: { count: number }) => (
  <span className={count > 0 ? "text-fail" : undefined}>{formatCount(count)}</span>
);

/** Requests per second since this page was opened. */
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
          colour: "--color-fg-disabled",
          kind: "line" as const,
          isFilled: true,
        },
      ],
    };
  }, [samples]);
  if (times.length < 2) return <p className="text-xs muted">The chart appears after a few seconds.</p>;
  return (
    <Chart title="Incoming" name="rate" times={times} series={series} height={120} step="second" isLive />
  );
}

function Database({ health: { database }, at }: { health: IngestHealth; at: number }) {
  const { bytes, maxBytes } = database;
  return (
    <section className="section">
      <h2>Database</h2>
      <div className="panel quota">
        <p className="row wrap text-xs">
          <span className="muted">
            {formatShare(bytes, maxBytes)} of its limit, kept for {database.retentionDays} days.
            {database.oldestAt !== null && ` The oldest entry is from ${formatAgo(database.oldestAt, at)}.`}
          </span>
          <span className="end number">
            <b>{formatBytes(bytes)}</b> <span className="subtle">of {formatBytes(maxBytes)}</span>
          </span>
        </p>
        <span className="channel flat" aria-hidden="true">
          <i className="plain" style={{ "--n": bytes } as CSSProperties} />
          <i className="unfilled" style={{ "--n": Math.max(maxBytes - bytes, 0) } as CSSProperties} />
        </span>
      </div>
    </section>
  );
}

const KIND_NAMES = { recordings: "Recordings", events: "Events", errors: "Errors", feedback: "Feedback" };

/** How much of its own budget each kind uses, and how much was deleted for lack of space. */
function Kinds({ kinds }: { kinds: IngestHealth["database"]["kinds"] }) {
  return (
    <CountTable
      title="Stored data"
      heads={["Kind", "Rows deleted to make room"]}
      rows={kinds.map(({ kind, bytes, maxBytes, evicted }) => ({
        key: kind,
        name: (
          <>
            {KIND_NAMES[kind]}{" "}
            <span className="secondary">
              about {formatBytes(bytes)} of {formatBytes(maxBytes)}
            </span>
          </>
        ),
        counts: [evicted],
      }))}
      empty="The database does not respond."
    />
  );
}

/** The owner's options for senders who have used up their share. */
function UsedUp({ refused }: { refused: IngestHealth["refused"] }) {
  const has = (reason: string) => refused.some((each) => each.reason === reason);
  const isEverybody = has("shared limit used up");
  if (!isEverybody && !has("network limit used up")) return null;
  return (
    <div className="note warn">
      <Icon name="triangleAlert" />
      <p>
        <b>
          {isEverybody
            ? "All senders together have used up the limit for a day."
            : "A network has used up its share."}
        </b>{" "}
        Anything sent after that was refused, so that it does not replace what others have sent. If these are
        your readers, raise <code>telemetry.maxBytes</code> in <code>site.config.ts</code>: shares grow with
        it. Otherwise block the sender in front of the server.
      </p>
    </div>
  );
}
