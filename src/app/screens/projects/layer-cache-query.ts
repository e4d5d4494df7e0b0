import { queryOptions } from "@tanstack/react-query";
import type { LayerCache } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";

/** One for each platform that was built. With `builds`: ending builds fill it. */
export const layerCacheQuery = (organization: string, projectId: string) =>
  queryOptions({
    queryKey: ["builds", organization, "layers", projectId],
    queryFn: async ({ signal }): Promise<LayerCache[]> =>
      (await call("ProjectService/GetCacheUsage", { project_id: projectId }, { organization, signal }))
        .caches,
  });
