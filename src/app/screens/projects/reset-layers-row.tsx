import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { formatBytes, plural } from "../../format.ts";
import { layerCacheQuery } from "./layer-cache-query.ts";

const ResetDialog = lazy(async () => ({ default: (await import("./reset-layers.tsx")).ResetLayersDialog }));

/** In a project's settings; `?do=reset` asks. */
export function ResetLayersRow({ project }: { project: Project }) {
  const { name } = useOrganization();
  const { data: caches = [] } = useQuery(layerCacheQuery(name, project.id));
  const { value: asked, open, close } = useOpened("do");
  const size = caches.reduce((sum, { size_bytes }) => sum + Number(size_bytes), 0);
  return (
    <div className="panel settings-panel settings-danger">
      <div className="setting-row">
        <div>
          <h2>Reset the layer cache</h2>
          <p className="text-xs muted">
            {size > 0
              ? `${formatBytes(size)} on ${plural(caches.length, "architecture")}. The next build starts cold.`
              : "It is empty: there is nothing to reset."}
          </p>
        </div>
        <div>
          <button className="btn danger" type="button" disabled={size === 0} onClick={() => open("reset")}>
            Reset…
          </button>
        </div>
      </div>
      {size > 0 && asked === "reset" && (
        <Suspense fallback={null}>
          <ResetDialog project={project} caches={caches} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
