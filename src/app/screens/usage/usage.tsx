import { useQuery } from "@tanstack/react-query";
import type { UsageDay, UsageServiceGetUsageResponse } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { isSettled } from "../../data/is-settled.ts";
import { projectsQuery } from "../../data/queries.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { formatCount, plural } from "../../format.ts";
import { Head, Page } from "../../page/page.tsx";
import { Bars } from "../../ui/bars.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Figures } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { downloadText } from "./download-text.ts";
import { JobsByProject } from "./jobs-by-project.tsx";
import {
  addMonths,
  dayOf,
  daysOf,
  describeSpan,
  monthOf,
  monthsOf,
  nameMonth,
  readMonth,
  shortenMonth,
  type Span,
  spanOfMonth,
  spanOfYear,
} from "./months.ts";
import { compareCounts, type Counts, sumBy, sumDays, writeUsageCsv } from "./usage-days.ts";
import { usageQuery } from "./usage-query.ts";

const YEAR = "12m";

/** The displayed span: a month, or twelve of them. */
interface Shown {
  /** `2026-11`, or `12m`. */
  key: string;
  span: Span;
  /** One bar each: days of a month, months of a year. */
  keys: string[];
  labelOf: (key: string) => string;
  /** The previous span, for comparisons, and its name. */
  before: { span: Span; name: string } | null;
}

function shownBy(params: URLSearchParams, now: number): Shown {
  if (params.get("range") === YEAR) {
    const span = spanOfYear(now);
    return { key: YEAR, span, keys: monthsOf(span), labelOf: shortenMonth, before: null };
  }
  const month = readMonth(params.get("month"), now) ?? monthOf(now);
  const span = spanOfMonth(month, now);
  const former = addMonths(month, -1);
  return {
    key: month,
    span,
    keys: daysOf(spanOfMonth(month, Date.parse(`${addMonths(month, 1)}-01`))),
    labelOf: (day) => String(Number(day.slice(-2))),
    before: { span: spanOfMonth(former, now), name: `in ${nameMonth(former, now)}` },
  };
}

export function UsageScreen() {
  const { name } = useOrganization();
  const { params, change } = useAddress();
  const now = useMinute();
  const shown = shownBy(params, now);
  const usage = useQuery(usageQuery(name, shown.span));
  const { data, error, refetch } = usage;
  const former = useFormer(shown);
  const projects = useQuery(projectsQuery(name));
  const isWhole = isSettled(usage, projects) && (shown.before === null || isSettled(former));
  return (
    <Page title="Usage">
      <Head
        title="Usage"
        lead={`${describeSpan(shown.span, now)}. Days are counted in UTC.`}
        actions={
          <>
            <Segmented
              label="Time"
              options={optionsOf(shown.key, now)}
              value={shown.key}
              onChange={(key) =>
                change(key === YEAR ? { range: YEAR, month: null } : { range: null, month: key })
              }
            />
            <button
              className="btn"
              type="button"
              disabled={!data}
              onClick={() => data && saveCsv(name, data, shown)}
            >
              <Icon name="download" />
              CSV
            </button>
          </>
        }
      />
      {data && isWhole ? (
        <UsageOf usage={data} shown={shown} />
      ) : error ? (
        <Failure what="Usage" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="usage" />
      )}
    </Page>
  );
}

/** This month, the previous one, twelve of them; and the address's month, if it is a different one. */
function optionsOf(key: string, now: number) {
  const current = monthOf(now);
  const months = [current, addMonths(current, -1)];
  const shown = key === YEAR || months.includes(key) ? months : [...months, key];
  return [
    ...shown.map((month) => ({ value: month, label: nameMonth(month, now) })),
    { value: YEAR, label: "12 months" },
  ];
}

function saveCsv(organization: string, { days }: UsageServiceGetUsageResponse, { key, span }: Shown) {
  downloadText({
    name: `usage-${organization}-${key}.csv`,
    type: "text/csv",
    text: writeUsageCsv(days, daysOf(span)),
  });
}

/** The usage to compare with. */
function useFormer({ before, span }: Shown) {
  const { name } = useOrganization();
  return useQuery({ ...usageQuery(name, before?.span ?? span), enabled: before !== null });
}

function UsageOf({ usage, shown }: { usage: UsageServiceGetUsageResponse; shown: Shown }) {
  const { before } = shown;
  const former = useFormer(shown);
  const all = sumDays(usage.days, "", "9999");
  const past = before && former.data && sumDays(former.data.days, "", "9999");
  const compare = (what: "calls" | "jobs" | "refused") =>
    before && past ? compareCounts(all[what], past[what], before.name) : undefined;
  const isEmpty = all.calls + all.jobs + all.refused === 0;
  return (
    <>
      <Figures
        figures={[
          { label: "API calls", figure: formatCount(all.calls), note: compare("calls") },
          { label: "Job tokens", figure: formatCount(all.jobs), note: compare("jobs") },
          { label: "Refused jobs", figure: formatCount(all.refused), note: compare("refused") },
          {
            label: "Members now",
            figure: formatCount(Number(usage.members)),
            note: plural(Number(usage.projects), "project"),
          },
        ]}
      />
      {isEmpty ? <NothingCounted shown={shown} /> : <Charts days={usage.days} shown={shown} />}
      <JobsByProject span={shown.span} keys={shown.keys} />
    </>
  );
}

function Charts({ days, shown }: { days: readonly UsageDay[]; shown: Shown }) {
  const sums = sumBy(days, shown.keys);
  const by = shown.key === YEAR ? "by month" : "by day";
  const barsOf = (valuesOf: (counts: Counts) => number[]) =>
    sums.map((counts, index) => ({
      label: shown.labelOf(shown.keys[index] ?? ""),
      values: valuesOf(counts),
    }));
  return (
    <div className="grid2">
      <Bars
        label={`API calls, ${by}`}
        series={[{ label: "API calls", tone: "plain" }]}
        bars={barsOf(({ calls }) => [calls])}
        format={formatCount}
      />
      <Bars
        label={`Jobs that asked for a token, ${by}`}
        series={[
          { label: "Got one", tone: "plain" },
          { label: "Refused", tone: "fail" },
        ]}
        bars={barsOf(({ jobs, refused }) => [jobs, refused])}
        format={formatCount}
      />
    </div>
  );
}

function NothingCounted({ shown }: { shown: Shown }) {
  const now = useMinute();
  const isNow = dayOf(shown.span.to.getTime()) === dayOf(now);
  const when = shown.key === YEAR ? "in these 12 months" : `in ${nameMonth(shown.key, now)}`;
  return (
    <EmptyState title={`Nothing was counted ${when}`}>
      <p>
        {isNow
          ? "API calls with a token and jobs that request one are counted here, by day. The first count appears by itself. What you do in these pages is not counted."
          : "Counts are kept for 800 days."}
      </p>
    </EmptyState>
  );
}
