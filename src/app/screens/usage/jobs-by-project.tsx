import { useQueries, useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { formatCount } from "../../format.ts";
import { addressOf } from "../../frame/places.ts";
import { ProjectBars } from "./project-bars.tsx";
import type { Span } from "./months.ts";
import { sumBy } from "./usage-days.ts";
import { usageQuery } from "./usage-query.ts";

/** Each is a question to the server. */
const MAX_PROJECTS = 8;

interface Props {
  span: Span;
  keys: readonly string[];
}

/** Projects that trust a CI provider, side by side with the same scale. */
export function JobsByProject({ span, keys }: Props) {
  const { name } = useOrganization();
  const { data: projects = [] } = useQuery(projectsQuery(name));
  const trusting = projects.filter(({ trust_relationships: trusted }) => trusted.length > 0);
  const shown = trusting.slice(0, MAX_PROJECTS);
  const usages = useQueries({ queries: shown.map(({ id }) => usageQuery(name, span, id)) });
  if (shown.length === 0) return null;
  const rows = shown.map((project, index) => ({
    key: project.id,
    label: project.name,
    to: addressOf(name, `projects/${encodeURIComponent(project.name)}`),
    values: sumBy(usages[index]?.data?.days ?? [], keys).map(({ jobs }) => jobs),
  }));
  return (
    <section className="sec" aria-label="Job tokens, by project">
      <div className="sec-h">
        <h2>Job tokens, by project</h2>
        <span className="end xs subtle">
          {trusting.length > MAX_PROJECTS
            ? `the first ${MAX_PROJECTS} of ${trusting.length} that trust a CI provider`
            : "equal scales"}
        </span>
      </div>
      <ProjectBars rows={rows} format={formatCount} />
    </section>
  );
}
