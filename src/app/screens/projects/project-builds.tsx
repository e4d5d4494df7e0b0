import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Build, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { PROJECT_COLUMNS } from "../builds/build-columns.tsx";
import { latestBuildsQuery } from "../builds/build-queries.ts";
import { NoBuilds } from "../builds/no-builds.tsx";

const ORDER = { key: "created", isDescending: true };
const keyOf = ({ id }: Build) => id;

/** The last builds; the list of all builds has the rest. */
export function ProjectBuilds({ project }: { project: Project }) {
  const { name } = useOrganization();
  const { data, error, dataUpdatedAt, refetch } = useQuery(latestBuildsQuery(name, project.id));
  const all = addressOf(name, `builds?project=${encodeURIComponent(project.name)}`);
  return (
    <section className="section" aria-label="Latest builds">
      <div className="section-header">
        <h2>Latest builds</h2>
        <Link className="end link" to={all}>
          All builds of {project.name}
        </Link>
      </div>
      <DataTable
        name={`Builds of ${project.name}`}
        unit="build"
        source={{ data: data?.builds, error, dataUpdatedAt, refetch }}
        columns={PROJECT_COLUMNS}
        keyOf={keyOf}
        order={ORDER}
        empty={<NoBuilds project={project} />}
      />
    </section>
  );
}
