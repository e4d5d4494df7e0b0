import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { isSettled } from "../../data/is-settled.ts";
import { tokensQuery } from "../../data/queries.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { formatCount, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Figures } from "../../ui/figures.tsx";
import { Loading } from "../../ui/loading.tsx";
import { dayOf, spanOfDays } from "../usage/months.ts";
import { compareCounts, sumDays } from "../usage/usage-days.ts";
import { usageQuery } from "../usage/usage-query.ts";
import { latestBuildsQuery } from "../builds/build-queries.ts";
import { LatestJobs } from "./latest-jobs.tsx";
import { LayerCache } from "./layer-cache.tsx";
import { layerCacheQuery } from "./layer-cache-query.ts";
import { ProjectBuilds } from "./project-builds.tsx";
import { ProjectPage } from "./project-frame.tsx";
import { SpoiledCacheNote } from "./spoiled-cache.tsx";
import { UseItHere } from "./use-it-here.tsx";

export function ProjectScreen() {
  return <ProjectPage>{(project) => <ProjectParts project={project} />}</ProjectPage>;
}

function ProjectParts({ project }: { project: Project }) {
  const { name } = useOrganization();
  const usage = useQuery(usageQuery(name, spanOfDays(14, useMinute()), project.id));
  const builds = useQuery(latestBuildsQuery(name, project.id));
  const layers = useQuery(layerCacheQuery(name, project.id));
  const [isWhole, setWhole] = useState(false);
  if (!isWhole && isSettled(usage, builds, layers)) setWhole(true);
  if (!isWhole) return <Loading what="its builds and jobs" />;
  return (
    <>
      <SpoiledCacheNote project={project} />
      <ProjectFigures project={project} />
      <div className="grid-side project-side">
        <div className="section project-lists">
          <ProjectBuilds project={project} />
          <LatestJobs project={project} />
        </div>
        <div className="section project-lists">
          <LayerCache project={project} />
          <UseItHere project={project} />
        </div>
      </div>
    </>
  );
}

/** The project's last seven days, compared with the seven before. */
function ProjectFigures({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const now = useMinute();
  const week = dayOf(spanOfDays(7, now).from.getTime());
  const both = spanOfDays(14, now);
  const { data: usage } = useQuery(usageQuery(organization, both, project.id));
  const { data: tokens } = useQuery(tokensQuery(organization));
  const own = tokens?.filter(({ project_id }) => project_id === project.id);
  const latest = usage && sumDays(usage.days, week, dayOf(now));
  const before = usage && sumDays(usage.days, dayOf(both.from.getTime()), dayOf(Date.parse(week) - 1));
  const filter = `?q=${encodeURIComponent(project.name)}`;
  const issuers = new Set(project.trust_relationships.map(({ issuer }) => issuer)).size;
  return (
    <Figures
      figures={[
        {
          label: "Job tokens, 7 days",
          figure: latest ? formatCount(latest.jobs) : "–",
          note: latest && before && compareCounts(latest.jobs, before.jobs, "in the 7 days before"),
        },
        {
          label: "Refused jobs, 7 days",
          figure: latest ? formatCount(latest.refused) : "–",
          note: latest && before && compareCounts(latest.refused, before.refused, "in the 7 days before"),
        },
        {
          label: "Tokens",
          figure: (
            <Link to={addressOf(organization, `settings/tokens${filter}&show=projects`)}>
              {own ? formatCount(own.length) : "–"}
            </Link>
          ),
          note: own && `${formatCount(own.filter(({ last_used_at }) => last_used_at).length)} in use`,
        },
        {
          label: "Trust relationships",
          figure: (
            <Link to={addressOf(organization, `settings/trust${filter}`)}>
              {formatCount(project.trust_relationships.length)}
            </Link>
          ),
          note: issuers > 0 ? plural(issuers, "CI provider") : "no CI provider",
        },
      ]}
    />
  );
}
