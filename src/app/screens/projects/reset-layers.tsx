import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Build, LayerCache, Project } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes, formatTook } from "../../format.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { latestBuildsQuery } from "../builds/build-queries.ts";
import { tookOf } from "../builds/build-words.ts";

interface Props {
  project: Project;
  caches: readonly LayerCache[];
  onClose: () => void;
}

/** Shows in figures what the next build will cost. */
export function ResetLayersDialog({ project, caches, onClose }: Props) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const { data } = useQuery(latestBuildsQuery(organization, project.id));
  const freed = useRef<number | null>(null);
  const size = formatBytes(caches.reduce((sum, { size_bytes }) => sum + Number(size_bytes), 0));
  const reset = async () => {
    const answer = await call("ProjectService/ResetCache", { project_id: project.id }, { organization });
    freed.current = Number(answer.freed_bytes);
    void client.invalidateQueries({ queryKey: ["builds", organization] });
  };
  const close = () => {
    onClose();
    if (freed.current !== null)
      showToast({
        text: `The layer cache of ${project.name} is reset: ${formatBytes(freed.current)} freed.`,
      });
  };
  return (
    <ConfirmDialog
      title={`Reset the layer cache of ${project.name}?`}
      confirm={`Reset ${size}`}
      cancel="Keep the cache"
      typed={project.name}
      onConfirm={reset}
      onClose={close}
    >
      <p>
        {size} on {caches.map(({ platform }) => platform).join(" and ")} are deleted now. The next build there
        runs every step{describeCost(data?.builds ?? [])}. Images in the registry stay. There is no undo.
      </p>
    </ConfirmDialog>
  );
}

/** ": expect about 5m 24s instead of 26.0s", from the last build that the cache helped. */
function describeCost(builds: readonly Build[]): string {
  const last = builds.find(({ state, saved_ms }) => state === "succeeded" && Number(saved_ms) > 0);
  const took = last && tookOf(last);
  if (!last || took === null || took === undefined) return "";
  return `: expect about ${formatTook(took + Number(last.saved_ms))} instead of ${formatTook(took)}`;
}
