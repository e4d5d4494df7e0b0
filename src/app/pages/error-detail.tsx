import { useMemo } from "react";
import { Link, useParams } from "react-router";
import type { ErrorGroupReport } from "#telemetry/index.ts";
import type { ErrorFrame } from "#telemetry/index.ts";
import { Chart } from "../charts/chart.tsx";
import { useRangeSearch } from "../data/address.ts";
import { useRange } from "../data/range.ts";
import { useReport, type Report } from "../data/use-report.ts";
import { cutText, formatCount, formatDateTime } from "../format.ts";
import { BarList } from "../ui/bar-list.tsx";
import { ScrollFrame } from "../ui/scroll-frame.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Empty, Show } from "../ui/states.tsx";

export function ErrorDetailPage() {
  const { fingerprint = "" } = useParams();
  const { query, range } = useRange();
  const path = `errors/${encodeURIComponent(fingerprint)}?${query}`;
  const [report, again] = useReport<ErrorGroupReport>(path);
  const search = useRangeSearch();
  return (
    <>
      <PageHead
        title={report.status === "ready" ? cutText(report.data.type, 60) : "Error"}
        before={
          <nav className="crumbs" aria-label="Breadcrumbs">
            <Link to={`/errors${search}`}>Errors</Link>
          </nav>
        }
      />
      {isGone(report) ? (
        <Empty title="This error is no longer kept">
          <p>
            Its reports were older than the retention, or the address is not complete. Choose a longer range,
            or:
          </p>
          <p>
            <Link to={`/errors${search}`}>See the errors that are kept</Link>
          </p>
        </Empty>
      ) : (
        <Show report={report} again={again} what="The error">
          {(data) => <Detail data={data} rangeLength={range.length} />}
        </Show>
      )}
    </>
  );
}

const isGone = (report: Report<unknown>) => report.status === "failed" && report.error.status === 404;

function Detail({ data, rangeLength }: { data: ErrorGroupReport; rangeLength: number }) {
  const times = useMemo(() => data.series.map((point) => point.at), [data]);
  const series = useMemo(
    () => [
      {
        label: "Reports",
        values: data.series.map((point) => point.count),
        colour: "--color-failing",
        kind: "bars" as const,
      },
    ],
    [data],
  );
  return (
    <>
      <Summary data={data} />
      <Stack frames={data.frames} />
      <Chart
        title="Reports over time"
        name="reports"
        times={times}
        series={series}
        height={110}
        step={rangeLength <= 48 * 3_600_000 ? "hour" : "day"}
      />
      <div className="two-columns">
        <BarList
          caption="Pages"
          head={["Page", "Reports"]}
          rows={data.paths.map(({ path, count }) => ({ name: path, count }))}
          empty="The reports name no page."
        />
        <BarList
          caption="Browsers"
          head={["Browser", "Reports"]}
          rows={data.browsers}
          empty="The reports name no browser."
        />
      </div>
    </>
  );
}

function Summary({ data }: { data: ErrorGroupReport }) {
  return (
    <>
      <p className="error-value">
        <bdi>{cutText(data.value, 1000)}</bdi>
      </p>
      <dl className="facts">
        <Fact name="Reports" value={formatCount(data.count)} />
        <Fact name="Where" value={data.platform === "server" ? "Server" : "Browser"} />
        <Fact name="First seen" value={formatDateTime(data.firstAt)} />
        <Fact name="Last seen" value={formatDateTime(data.lastAt)} />
        <Fact
          name="Releases"
          value={data.releases.map((name) => cutText(name, 40)).join(", ") || "unknown"}
        />
      </dl>
    </>
  );
}

function Stack({ frames }: { frames: ErrorFrame[] }) {
  return (
    <section className="frames">
      <h2>Stack</h2>
      {frames.length === 0 ? (
        <p className="note">
          The report had no stack: the browser gave none, or the error came from another origin.
        </p>
      ) : (
        <Frames frames={frames} />
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Innermost first; the first frame of our own code is open, libraries are folded. */
function Frames({ frames }: { frames: ErrorFrame[] }) {
  const first = Math.max(
    frames.findIndex((frame) => frame.isInApp && frame.context),
    0,
  );
  return (
    <ol>
      {frames.map((frame, index) => (
        // Frames have no identity of their own: one function can stand in a stack many times.
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
      <span className="frame-function">in {cutText(frame.function ?? "an anonymous function", 80)}</span>
      {!frame.isInApp && <span className="badge">library</span>}
    </>
  );
}

function CodeContext({ context, file }: { context: NonNullable<ErrorFrame["context"]>; file: string }) {
  return (
    <ScrollFrame className="context" label={`Source of ${file}`}>
      <pre>
        <code>
          {context.lines.map((line, index) => (
            // Lines of a file are told apart by their number.
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
