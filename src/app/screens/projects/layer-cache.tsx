import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { LayerCache as Cache, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { cutText, formatBytes, plural } from "../../format.ts";
import { FillChannel } from "../../ui/channel/channel.tsx";
import { layerCacheQuery } from "./layer-cache-query.ts";

const ResetDialog = lazy(async () => ({ default: (await import("./reset-layers.tsx")).ResetLayersDialog }));

/** A project's layer caches, by architecture. `?do=reset` asks. */
export function LayerCache({ project }: { project: Project }) {
  const { name } = useOrganization();
  const { data: caches, error } = useQuery(layerCacheQuery(name, project.id));
  const { value: asked, open, close } = useOpened("do");
  const isEmpty = !caches || caches.every(({ size_bytes }) => Number(size_bytes) === 0);
  return (
    <section className="section" aria-label="Layer cache">
      <div className="section-header">
        <h2>Layer cache</h2>
        {!isEmpty && (
          <button className="btn low end" type="button" onClick={() => open("reset")}>
            Reset…
          </button>
        )}
      </div>
      <div className="panel">
        {caches && caches.length > 0 ? (
          caches.map((cache) => <Platform key={cache.platform} cache={cache} />)
        ) : (
          <p className="panel-body text-xs muted">
            {error && !caches ? error.message : "It is empty: the first build of each architecture fills it."}
          </p>
        )}
      </div>
      {!isEmpty && asked === "reset" && (
        <Suspense fallback={null}>
          <ResetDialog project={project} caches={caches} onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

function Platform({ cache: { platform, size_bytes, quota_bytes, layers } }: { cache: Cache }) {
  const [used, quota] = [Number(size_bytes), Number(quota_bytes)];
  return (
    <div className="layer-cache">
      <div className="row">
        <bdi className="mono strong">{cutText(platform, 40)}</bdi>
        <span className="end text-xs number">
          <b>{formatBytes(used)}</b>
          {quota > 0 && <span className="subtle"> of {formatBytes(quota)}</span>}
        </span>
      </div>
      <FillChannel used={used} limit={quota} part="cached" />
      <small className="text-2xs subtle">{plural(Number(layers), "layer")}</small>
    </div>
  );
}
