import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { formatCount, formatTook, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Figures } from "../../ui/figures.tsx";
import { useMinute } from "../../ui/use-minute.ts";
import { BuildLanes } from "../builds/build-lanes.tsx";
import { recentBuildsQuery, runningBuildsQuery } from "../builds/build-queries.ts";
import { dayOf, spanOfDays } from "../usage/months.ts";
import type { Range } from "./range.ts";
import { type BuildSum, sumBuilds } from "./recent-builds.ts";

/** The range's builds, and the running ones; nothing without any builds. */
export function BuildsOfRange({ range }: { range: Range }) {
  const { name } = useOrganization();
  const now = useMinute();
  const { data: builds } = useQuery(recentBuildsQuery(name));
  const { data: running } = useQuery(runningBuildsQuery(name));
  if (!builds || builds.length === 0) return null;
  const since = Date.parse(dayOf(spanOfDays(range.days, now).from.getTime()));
  const sum = sumBuilds(builds, since);
  const all = addressOf(name, "builds");
  return (
    <>
      <Figures
        figures={[
          {
            label: "Builds",
            figure: (
              <Link to={all}>
                {formatCount(sum.builds)}
                {sum.isPart && "+"}
              </Link>
            ),
            note: describeResults(sum),
          },
          {
            label: "Saved by the cache",
            figure: formatTook(sum.savedMs),
            note: sum.isPart ? "by the last 100 builds" : "against cold builds",
          },
          {
            label: "Median build",
            figure: sum.medianMs === null ? "–" : formatTook(sum.medianMs),
            note: plural(sum.succeeded, "build", "that succeeded"),
          },
        ]}
      />
      {running && running.length > 0 && <BuildLanes />}
    </>
  );
}

function describeResults({ succeeded, failed, canceled }: BuildSum): string {
  return [`${succeeded} succeeded`, failed > 0 && `${failed} failed`, canceled > 0 && `${canceled} canceled`]
    .filter(Boolean)
    .join(", ");
}
