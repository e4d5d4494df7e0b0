import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Project } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { plural } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { repositoriesQuery } from "./image-queries.ts";
import { PushCommands } from "./push-commands.tsx";

interface Props {
  project: Project;
  choice: ReactNode;
  /** Whether saved builds are hidden: there may be nothing else. */
  hidesBuilds: boolean;
}

/** Nothing was pushed yet: instructions, until the first image appears. */
export function EmptyRepository({ project, choice, hidesBuilds }: Props) {
  const { name: organization } = useOrganization();
  const { change } = useAddress();
  const { data: repositories } = useQuery(repositoriesQuery(organization));
  const own = repositories?.find(({ project_id }) => project_id === project.id);
  const builds = Number(own?.saved_builds ?? 0);
  return (
    <>
      <div className="filters">{choice}</div>
      {hidesBuilds && builds > 0 ? (
        <EmptyState title={`Only saved builds: ${plural(builds, "image")} without a tag`}>
          <p>They are deleted automatically. A saved build with a tag is kept while it has the tag.</p>
          <div className="row">
            <button className="btn action" type="button" onClick={() => change({ saved: "1" })}>
              Show saved builds
            </button>
          </div>
        </EmptyState>
      ) : (
        <EmptyState
          title={
            <>
              No image in <bdi>{project.name}</bdi> yet
            </>
          }
        >
          <div className="section push-commands">
            <PushCommands project={project} />
            <p className="todo-wait">
              <span className="waiting">Waiting for the first push</span>
            </p>
          </div>
        </EmptyState>
      )}
    </>
  );
}
