import { useMemo } from "react";
import { Link } from "react-router";
import type { IngestHealth, OverviewReport } from "#telemetry/index.ts";
import { useRangeSearch } from "../../data/address.ts";
import { describeChange, formatBytes, formatCount, formatShare } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Figures } from "../../ui/figures.tsx";
import { Chart } from "./charts/chart.tsx";
import type { Series } from "./charts/series.ts";
import { useRange } from "./range.ts";
import { type Report, useReport } from "./report.ts";
import { Downloads, ReportPage } from "./report-page.tsx";
import { ShareList } from "./share-list.tsx";
import { Show } from "./show.tsx";

export function OverviewPage() {
  const { range, query, formerQuery } = useRange();
  const path = `overview?${query}`;
  const report = useReport<OverviewReport>(path);
  const former = useReport<OverviewReport>(`overview?${formerQuery}`);
  const health = useReport<IngestHealth>("health");
  return (
    <ReportPage
      title="Overview"
      report={report}
      lead="What readers of the documentation do, find and miss."
      actions={<Downloads path={path} name={`overview-${range.key}`} />}
    >
      <Show report={report} what="The overview">
        {(data) => (
          <>
            {isNothing(data) && <NothingYet />}
            <LinkedFigures data={data} former={comparable(former, health)} />
            <Charts data={data} />
            <div className="grid2">
              <ShareList
                caption="Where readers come from"
                head={["Site", "Views"]}
                rows={data.referrers.map(({ host, count }) => ({ name: host, count }))}
                empty="No view came from a link on another site in this range. Only the other site's host is stored."
              />
              <ShareList
                caption="Browsers"
                head={["Browser", "Views"]}
                rows={data.browsers}
                empty="No page was opened in this range."
              />
            </div>
          </>
        )}
      </Show>
      <WhatIsKept health={health.data} />
    </ReportPage>
  );
}

/** The previous range, if it is kept completely: half of it would turn every change into a rise. */
function comparable(former: Report<OverviewReport>, health: Report<IngestHealth>): OverviewReport | null {
  if (!former.data || former.isPlaceholderData || !health.data) return null;
  const { oldestAt } = health.data.database;
  return oldestAt !== null && oldestAt <= former.data.from ? former.data : null;
}

const isNothing = (data: OverviewReport) => data.views + data.searches + data.errors === 0;

function NothingYet() {
  return (
    <EmptyState title="Nothing was counted in this range">
      <p>
        Views and searches are counted from the first request on, for everyone, by day (UTC) and without an
        identifier. There is nothing to turn on.{" "}
        <a className="link" href="/docs">
          Open a page of the documentation
        </a>
        , then reload this page.
      </p>
    </EmptyState>
  );
}

interface LinkedFigure {
  label: string;
  value: string;
  note?: string;
  to: string;
  now: number;
  before: number | undefined;
  /** Whether more is good, bad or neither; determines the colour of a change. */
  meaning: "good" | "bad" | "none";
}

function LinkedFigures({ data, former }: { data: OverviewReport; former: OverviewReport | null }) {
  const search = useRangeSearch();
  const figures = figuresOf(data, former).map((each) => ({
    label: each.label,
    figure: (
      <Link
        className="figure-link"
        to={withSearch(`/console${each.to}`, search)}
        aria-label={`${each.label}: ${each.value}`}
      >
        {each.value}
      </Link>
    ),
    note: <FigureNote figure={each} />,
  }));
  return (
    <div className="section">
      <Figures figures={figures.slice(0, 4)} />
      <Figures figures={figures.slice(4)} />
    </div>
  );
}

function FigureNote({ figure }: { figure: LinkedFigure }) {
  const change = figure.before === undefined ? null : describeChange(figure.now, figure.before);
  return (
    <>
      {figure.note}
      {figure.note && change && ", "}
      {change && (
        <span className={toneOf(change.direction, figure.meaning)}>
          {change.text}
          <span className="vh"> compared with the previous range</span>
        </span>
      )}
    </>
  );
}

const withSearch = (to: string, search: string) =>
  to.includes("?") ? to + search.replace("?", "&") : to + search;

function toneOf(direction: "up" | "down" | "same", meaning: LinkedFigure["meaning"]) {
  if (direction === "same" || meaning === "none") return undefined;
  return (direction === "up") === (meaning === "good") ? "text-ok" : "text-fail";
}

function figuresOf(data: OverviewReport, former: OverviewReport | null): LinkedFigure[] {
  const figure = (
    label: string,
    key: "views" | "searches" | "searchesWithoutHits" | "visitors" | "searchClicks" | "errors" | "recordings",
    rest: Pick<LinkedFigure, "to" | "meaning"> & { note?: string },
  ): LinkedFigure => ({
    label,
    value: formatCount(data[key]),
    now: data[key],
    before: former?.[key],
    ...rest,
  });
  const answers = data.feedback.yes + data.feedback.no;
  const share = (part: number, whole: number, words: string) =>
    whole > 0 ? { note: `${formatShare(part, whole)} ${words}` } : {};
  return [
    figure("Page views", "views", { to: "/pages", meaning: "none" }),
    figure("Searches", "searches", { to: "/searches", meaning: "none" }),
    figure("Searches without hits", "searchesWithoutHits", {
      to: "/searches?kind=no-hits",
      meaning: "bad",
      ...share(data.searchesWithoutHits, data.searches, "of searches"),
    }),
    figure("Clicks on hits", "searchClicks", { to: "/searches?kind=no-clicks", meaning: "none" }),
    figure("Visitors who agreed", "visitors", { to: "/pages", meaning: "none" }),
    {
      label: "“Was this helpful?”",
      value: formatShare(data.feedback.yes, answers),
      note: answers > 0 ? `yes, of ${formatCount(answers)}` : "no answers",
      to: "/pages?sort=-no",
      now: data.feedback.yes,
      before: undefined,
      meaning: "none",
    },
    figure("Errors", "errors", { to: "/errors", meaning: "bad" }),
    figure("Recordings", "recordings", { to: "/recordings", meaning: "none" }),
  ];
}

function Charts({ data }: { data: OverviewReport }) {
  const step = data.to - data.from <= 48 * 3_600_000 ? "hour" : "day";
  const { days, times, traffic, errors } = useMemo(() => {
    const line = (key: "views" | "searches", rest: Omit<Series, "values">): Series => ({
      ...rest,
      values: data.days.map((point) => point[key]),
    });
    const failures = data.series.map((point) => point.errors);
    return {
      days: data.days.map((point) => point.at),
      times: data.series.map((point) => point.at),
      traffic: [
        line("views", { label: "Page views", colour: "--color-fg-disabled", kind: "line", isFilled: true }),
        line("searches", { label: "Searches", colour: "--color-accent-line", kind: "line" }),
      ],
      errors: [{ label: "Errors", colour: "--color-fail", kind: "bars", values: failures } satisfies Series],
    };
  }, [data]);
  return (
    <>
      <Chart title="Views and searches" name="traffic" times={days} series={traffic} step="day" />
      <Chart title="Errors" name="failures" times={times} series={errors} step={step} height={110} />
    </>
  );
}

function WhatIsKept({ health }: { health: IngestHealth | undefined }) {
  return (
    <section className="section">
      <h2>Stored data</h2>
      <p className="text-xs muted words">
        Views and searches are counted for everyone, by day (UTC) and without any other data. Their figures
        cover the days that begin in the range. Error reports contain nothing about a reader, and addresses
        are never stored. Visitors, clicks, searches from a page, survey answers and recordings come only from
        readers who agreed.
        {health &&
          ` Data older than ${health.database.retentionDays} days is deleted. Above ${formatBytes(health.database.maxBytes)}, so is the oldest data of the kind that uses most of its own share.`}
      </p>
    </section>
  );
}
