import { useMemo } from "react";
import { Link, useParams } from "react-router";
import type { ErrorFrame, ErrorGroupReport } from "#telemetry/index.ts";
import { useRangeSearch } from "../../data/address.ts";
import { cutText, formatCount, formatDateTime } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ScrollFrame } from "../../ui/scroll-frame.tsx";
import { Chart } from "./charts/chart.tsx";
import { useRange } from "./range.ts";
import { isGone, useReport } from "./report.ts";
import { ReportPage } from "./report-page.tsx";
import { ShareList } from "./share-list.tsx";
import { Show } from "./show.tsx";

const ABOVE = [{ label: "Errors", to: "/console/errors" }];

export function ErrorDetailPage() {
  const { fingerprint = "" } = useParams();
  const { query, range } = useRange();
  const report = useReport<ErrorGroupReport>(`errors/${encodeURIComponent(fingerprint)}?${query}`);
  const search = useRangeSearch();
  return (
    <ReportPage
      title={report.data ? cutText(report.data.type, 60) : "Error"}
      above={ABOVE}
      report={report}
      lead={report.data && <bdi className="words">{cutText(report.data.value, 1000)}</bdi>}
    >
      {isGone(report) ? (
        <EmptyState title="This error is no longer stored">
          <p>
            Its reports are older than the retention period or than this range, or the address is incomplete.
          </p>
          <p>
            <Link className="link" to={`/console/errors${search}`}>
              See the stored errors
            </Link>
          </p>
        </EmptyState>
      ) : (
        <Show report={report} what="The error">
          {(data) => <Detail data={data} rangeLength={range.length} />}
        </Show>
      )}
    </ReportPage>
  );
}

function Detail({ data, rangeLength }: { data: ErrorGroupReport; rangeLength: number }) {
  const times = useMemo(() => data.series.map((point) => point.at), [data]);
  const series = useMemo(
    () => [
      {
        label: "Reports",
        values: data.series.map((point) => point.count),
        colour: "--color-fail",
        kind: "bars" as const,
      },
    ],
    [data],
  );
  return (
    <div className="grid-side">
      <div className="report">
        <Stack frames={data.frames} />
        <Chart
          title="Reports over time"
          name="reports"
          times={times}
          series={series}
          height={110}
          step={rangeLength <= 48 * 3_600_000 ? "hour" : "day"}
        />
      </div>
      <aside className="report" aria-label="About this error">
        <Facts data={data} />
        <ShareList
          caption="Pages"
          head={["Page", "Reports"]}
          rows={data.paths.map(({ path, count }) => ({ name: path, count }))}
          empty="The reports name no page."
        />
        <ShareList
          caption="Browsers"
          head={["Browser", "Reports"]}
          rows={data.browsers}
          empty="The reports name no browser."
        />
      </aside>
    </div>
  );
}

function Facts({ data }: { data: ErrorGroupReport }) {
  const facts = [
    ["Reports", formatCount(data.count)],
    ["Where", data.platform === "server" ? "Server" : "Browser"],
    ["First seen", formatDateTime(data.firstAt)],
    ["Last seen", formatDateTime(data.lastAt)],
    ["Releases", data.releases.map((name) => cutText(name, 40)).join(", ") || "unknown"],
  ] as const;
  return (
    <dl className="panel panel-body key-values">
      {facts.map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Stack({ frames }: { frames: ErrorFrame[] }) {
  return (
    <section className="section">
      <h2>Stack</h2>
      {frames.length === 0 ? (
        <p className="panel panel-body text-xs muted">
          The report has no stack trace: the browser sent none, or the error came from another origin.
        </p>
      ) : (
        <Frames frames={frames} />
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Innermost first; the first frame of our own code is open, library frames are folded. */
function Frames({ frames }: { frames: ErrorFrame[] }) {
  const first = Math.max(
    frames.findIndex((frame) => frame.isInApp && frame.context),
    0,
  );
  return (
    <ol className="panel frames">
      {frames.map((frame, index) => (
        // Frames have no identity of their own: one function can occur in a stack many times.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} data-own={frame.isInApp}>
          {frame.context ? (
            <details open={index === first}>
              <summary>
                <FrameTitle frame={frame} />
              </summary>
              <CodeContext context={frame.context} file={frame.file} />
            </details>
          ) : (
            <div className="frame-line">
              <FrameTitle frame={frame} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function FrameTitle({ frame }: { frame: ErrorFrame }) {
  const place = [frame.line, frame.column].filter((part) => part !== null).join(":");
  return (
    <>
      <code className="frame-file">
        {cutText(frame.file, 120)}
        {place && <span>:{place}</span>}
      </code>{" "}
      <span className="frame-function">in {cutText(frame.function ?? "an anonymous function", 80)}</span>{" "}
      {!frame.isInApp && <span className="tag">library</span>}
    </>
  );
}

function CodeContext({ context, file }: { context: NonNullable<ErrorFrame["context"]>; file: string }) {
  return (
    <ScrollFrame className="context" label={`Source of ${file}`}>
      <pre>
        <code>
          {context.lines.map((line, index) => (
            // Lines of a file are identified by their number.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className="context-line" data-at={index === context.at}>
              <span className="line-number">
                {index === context.at && <span className="vh">This line failed: </span>}
                {context.firstLine + index}
              </span>
              {line.slice(0, 400)}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
    </ScrollFrame>
  );
}
