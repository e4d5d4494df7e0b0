import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { formatCount, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { CodeLine } from "../../ui/code-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";

const MAX_SHOWN = 8;

/** For members, who do not read the audit log: their places of work. */
export function YourProjects() {
  const { name } = useOrganization();
  const { data: projects, error, refetch } = useQuery(projectsQuery(name));
  const list = addressOf(name, "projects");
  return (
    <section className="section" aria-label="Projects">
      <div className="section-header">
        <h2>Projects</h2>
        <Link className="end link" to={list}>
          {projects ? `All ${formatCount(projects.length)}` : "All"}
        </Link>
      </div>
      {!projects && error && <Failure what="Projects" error={error} onRetry={() => void refetch()} />}
      {!projects && !error && <Loading what="projects" />}
      {projects?.length === 0 && (
        <EmptyState title={`No projects in ${name} yet`}>
          <CodeLine command="millrace init" />
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <ul className="panel text-xs lines">
          {projects.slice(0, MAX_SHOWN).map((project) => (
            <li key={project.id}>
              <span className="subtle row">
                <Icon name="folderGit" />
              </span>
              <Link className="strong clip" to={`${list}/${encodeURIComponent(project.name)}`}>
                {project.name}
              </Link>
              <span className="grow subtle clip">
                {plural(project.trust_relationships.length, "trust relationship")}
              </span>
              <Ago at={project.created_at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
