import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { isSettled } from "../../data/is-settled.ts";
import { membersQuery, projectsQuery, tokensQuery } from "../../data/queries.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { formatCount, plural } from "../../format.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Bars } from "../../ui/bars.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { exchangesQuery } from "../projects/exchanges-query.ts";
import { dayOf, daysOf, spanOfDays } from "../usage/months.ts";
import { sumBy, sumDays } from "../usage/usage-days.ts";
import { usageQuery } from "../usage/usage-query.ts";
import { recentBuildsQuery, runningBuildsQuery } from "../builds/build-queries.ts";
import { BuildsOfRange } from "./build-figures.tsx";
import { LatestChanges } from "./latest-changes.tsx";
import { latestChangesQuery } from "./latest-changes-query.ts";
import { NeedsALook } from "./needs-a-look-list.tsx";
import { OverviewFigures } from "./overview-figures.tsx";
import { readRange, RANGES, type Range } from "./range.ts";
import { SpoiledProjects } from "./spoiled-projects.tsx";
import { isLong, todaySpans } from "./today-spans.ts";
import { YourProjects } from "./your-projects.tsx";
import { nameDay, shortenWeekdayUtc } from "../../dates.ts";

export function TodayScreen({ onShowChecklist }: { onShowChecklist: () => void }) {
  const { isOwner } = useOrganization();
  const { params, change } = useAddress();
  const now = useMinute();
  const range = readRange(params.get("range"));
  const isWhole = useIsWhole(range);
  const actions = useMemo(
    (): PageAction[] => [
      { label: "Show the getting-started checklist", icon: "check", run: onShowChecklist },
    ],
    [onShowChecklist],
  );
  return (
    <Page title="Overview" actions={actions}>
      <Head
        title={nameDay(new Date(now))}
        lead={<Lead range={range} />}
        actions={
          <Segmented
            label="Range"
            options={RANGES}
            value={range.value}
            onChange={(value) => change({ range: value === RANGES[0].value ? null : value })}
          />
        }
      />
      {isWhole ? (
        <>
          <SpoiledProjects />
          <BuildsOfRange range={range} />
          <OverviewFigures range={range} />
          <div className="grid2">
            <CallsByDay range={range} />
            <NeedsALook />
          </div>
          {isOwner ? <LatestChanges /> : <YourProjects />}
          <p className="text-xs">
            <button className="link" type="button" onClick={onShowChecklist}>
              Show the getting-started checklist
            </button>
          </p>
        </>
      ) : (
        <Loading what="the overview" />
      )}
    </Page>
  );
}

/** Stays true once all initial data is read: choosing another range does not hide the screen. */
function useIsWhole(range: Range): boolean {
  const { name, isOwner } = useOrganization();
  const spans = todaySpans(range, useMinute());
  const days = useQuery(usageQuery(name, spans.shown));
  const both = useQuery(usageQuery(name, spans.both));
  const members = useQuery(membersQuery(name));
  const tokens = useQuery(tokensQuery(name));
  const projects = useQuery(projectsQuery(name));
  const exchanges = useQuery(exchangesQuery(name));
  const changes = useQuery({ ...latestChangesQuery(name), enabled: isOwner });
  const builds = useQuery(recentBuildsQuery(name));
  const running = useQuery(runningBuildsQuery(name));
  const [isWhole, setWhole] = useState(false);
  const isRead =
    isSettled(days, both, members, tokens, projects, exchanges, builds, running) &&
    (!isOwner || isSettled(changes));
  if (isRead && !isWhole) setWhole(true);
  return isWhole || isRead;
}

function Lead({ range }: { range: Range }) {
  const { name } = useOrganization();
  const now = useMinute();
  const { data: usage } = useQuery(usageQuery(name, todaySpans(range, now).both));
  const { data: projects } = useQuery(projectsQuery(name));
  if (!usage || !projects) return `What happened in ${name}.`;
  const { calls } = sumDays(usage.days, dayOf(spanOfDays(range.days, now).from.getTime()), dayOf(now));
  return `${plural(calls, "API call")} ${range.since}, in ${plural(projects.length, "project")}.`;
}

function CallsByDay({ range }: { range: Range }) {
  const { name } = useOrganization();
  const { shown: span } = todaySpans(range, useMinute());
  const { data, error, refetch } = useQuery(usageQuery(name, span));
  const days = daysOf(span);
  if (!data)
    return (
      <section className="section" aria-label="API calls, by day">
        {error ? (
          <Failure what="API calls" error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="API calls" />
        )}
      </section>
    );
  return (
    <Bars
      label="API calls, by day"
      series={[{ label: "API calls", tone: "plain" }]}
      bars={sumBy(data.days, days).map(({ calls }, index) => ({
        label: labelOf(days[index] ?? "", range),
        values: [calls],
      }))}
      format={formatCount}
    />
  );
}

const labelOf = (day: string, range: Range) =>
  isLong(range) ? String(Number(day.slice(-2))) : shortenWeekdayUtc(new Date(day));
