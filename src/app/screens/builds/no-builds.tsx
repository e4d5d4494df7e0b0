import type { Project } from "#api/gen/json-types.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useOrganization } from "../../data/organization.ts";
import "../../styles/builds.css";

/** For the organization, or for one project. */
export function NoBuilds({ project }: { project?: Project }) {
  const { name } = useOrganization();
  return (
    <EmptyState
      title={
        <>
          No builds of <bdi>{project?.name ?? name}</bdi> yet
        </>
      }
    >
      <p>The first one fills the layer cache. It appears here by itself.</p>
      <BuildCommands project={project} />
      <p>
        <a className="link" href="/docs/container-builds/quickstart">
          How builds work
        </a>
      </p>
    </EmptyState>
  );
}

/** To be run in the Dockerfile's directory. */
export function BuildCommands({ project }: { project?: Project | undefined }) {
  return (
    <div className="section build-commands">
      <CodeLine command={`millrace login --url ${location.origin}`} />
      {!project && <CodeLine command="millrace init" />}
      <CodeLine command={`millrace build ${project ? `--project ${project.id} ` : ""}--save .`} />
    </div>
  );
}
