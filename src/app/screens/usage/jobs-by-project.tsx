import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { isSettled } from "../../data/is-settled.ts";
import { projectsQuery } from "../../data/queries.ts";
import { formatCount } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Multiples } from "../../ui/multiples.tsx";
import type { Span } from "./months.ts";
import { sumBy } from "./usage-days.ts";
import { usageQuery } from "./usage-query.ts";

/** Each causes a request to the server. */
const MAX_PROJECTS = 8;

interface Props {
  span: Span;
  keys: readonly string[];
}

/** Projects that trust a CI provider, side by side on the same scale. */
export function JobsByProject({ span, keys }: Props) {
  const { name } = useOrganization();
  const { data: projects = [] } = useQuery(projectsQuery(name));
  const trusting = projects.filter(({ trust_relationships: trusted }) => trusted.length > 0);
  const shown = trusting.slice(0, MAX_PROJECTS);
  const usages = useQueries({ queries: shown.map(({ id }) => usageQuery(name, span, id)) });
  if (shown.length === 0 || !isSettled(...usages)) return null;
  const rows = shown.map((project, index) => ({
    key: project.id,
    label: <Link to={addressOf(name, `projects/${encodeURIComponent(project.name)}`)}>{project.name}</Link>,
    values: sumBy(usages[index]?.data?.days ?? [], keys).map(({ jobs }) => jobs),
  }));
  const isCut = trusting.length > MAX_PROJECTS;
  return (
    <Multiples
      label={`Job tokens by project${isCut ? `, the first ${MAX_PROJECTS} of ${trusting.length}` : ""}`}
      tone="plain"
      rows={rows}
      format={formatCount}
    />
  );
}
