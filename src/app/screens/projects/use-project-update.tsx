import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useParams } from "react-router";
import type { Project, ProjectServiceUpdateRequest } from "#api/gen/json-types.ts";
import { call, CallError } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { describeChanges } from "./project-settings-values.ts";
import type { SaveState } from "./setting-row.tsx";

type Change = Pick<
  ProjectServiceUpdateRequest,
  "name" | "builder_size" | "cache_size_bytes" | "retention_days" | "immutable_tags" | "clear_immutable_tags"
>;

interface ProjectUpdate {
  state: SaveState;
  error?: ReactNode;
  save: (change: Change) => void;
  onEdit: () => void;
}

/**
 * Saves one setting with the revision that was read when its row was last edited. A change by someone else in between is
 * reported, and the typed value is kept: saving again overwrites it deliberately.
 */
export function useProjectUpdate(project: Project): ProjectUpdate {
  const { name: organization } = useOrganization();
  const { project: reference = "" } = useParams();
  const client = useQueryClient();
  /** The project when the reader began to edit. */
  const [seen, setSeen] = useState<Project | null>(null);
  const mutation = useMutation({
    mutationFn: ({ revision, change }: { revision: string; change: Change }) =>
      call("ProjectService/Update", { project_id: project.id, revision, ...change }, { organization }),
    onSuccess: ({ project: changed }) => {
      setSeen(null);
      if (!changed) return;
      // The page follows a new name automatically (`ProjectPage`).
      client.setQueryData(["projects", organization, reference], changed);
      void client.invalidateQueries({ queryKey: ["projects", organization] });
    },
    onError: async (error) => {
      if (isConflict(error)) await client.invalidateQueries({ queryKey: ["projects", organization] });
    },
  });
  const { error } = mutation;
  return {
    state: STATES[mutation.status],
    ...(error && {
      error: isConflict(error) ? (
        <Conflict message={error.message} former={seen} now={project} />
      ) : (
        error.message
      ),
    }),
    save: (change) => {
      // On a second try, the reader has seen the conflict of the first.
      const known = isConflict(error) ? project : (seen ?? project);
      setSeen(known);
      mutation.mutate({ revision: known.revision, change });
    },
    onEdit: () => {
      setSeen((before) => before ?? project);
      if (mutation.status === "success") mutation.reset();
    },
  };
}

const STATES = { idle: "idle", pending: "saving", success: "saved", error: "failed" } as const;

const isConflict = (error: Error | null): boolean =>
  error instanceof CallError && error.code === "failed_precondition";

interface ConflictProps {
  /** The server's message, which names who and when. */
  message: string;
  former: Project | null;
  now: Project;
}

function Conflict({ message, former, now }: ConflictProps) {
  const changes = former ? describeChanges(former, now) : [];
  return (
    <>
      {message} {changes.join(" ")} Save again to keep what is chosen here.
    </>
  );
}
