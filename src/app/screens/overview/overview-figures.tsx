import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { membersQuery, projectsQuery } from "../../data/queries.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { formatCount } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Figures } from "../../ui/figures.tsx";
import { dayOf, spanOfDays } from "../usage/months.ts";
import { compareCounts, sumDays } from "../usage/usage-days.ts";
import { usageQuery } from "../usage/usage-query.ts";
import { todaySpans } from "./today-spans.ts";
import type { Range } from "./range.ts";

/** The range's figures, compared with as many days before it. A dash means not yet read. */
export function OverviewFigures({ range }: { range: Range }) {
  const { name } = useOrganization();
  const now = useMinute();
  const { both } = todaySpans(range, now);
  const first = dayOf(spanOfDays(range.days, now).from.getTime());
  const { data: usage } = useQuery(usageQuery(name, both));
  const { data: members } = useQuery(membersQuery(name));
  const { data: projects } = useQuery(projectsQuery(name));
  const latest = usage && sumDays(usage.days, first, dayOf(now));
  const former = usage && sumDays(usage.days, dayOf(both.from.getTime()), dayOf(Date.parse(first) - 1));
  const since = Date.parse(first);
  const isNew = ({ created_at: at }: { created_at?: string }) => at !== undefined && Date.parse(at) >= since;
  const linked = (to: string, count: number | undefined) => (
    <Link to={addressOf(name, to)}>{count === undefined ? "–" : formatCount(count)}</Link>
  );
  return (
    <Figures
      figures={[
        {
          label: "API calls",
          figure: linked("usage", latest?.calls),
          note: latest && former && compareCounts(latest.calls, former.calls, range.before),
        },
        {
          label: "Job tokens",
          figure: linked("settings/trust", latest?.jobs),
          note:
            latest &&
            (latest.refused === 0 ? "no job was refused" : `${formatCount(latest.refused)} refused`),
        },
        {
          label: "Members",
          figure: linked("settings/members", members?.length),
          note: members && describeNew(members.filter(isNew).length, { verb: "joined", range }),
        },
        {
          label: "Projects",
          figure: linked("projects", projects?.length),
          note: projects && describeNew(projects.filter(isNew).length, { verb: "created", range }),
        },
      ]}
    />
  );
}

function describeNew(count: number, { verb, range }: { verb: string; range: Range }): string {
  const when = range.days === 1 ? "today" : `in ${range.days} days`;
  return count === 0 ? `none ${verb} ${when}` : `${formatCount(count)} ${verb} ${when}`;
}
