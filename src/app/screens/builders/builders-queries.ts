import { queryOptions } from "@tanstack/react-query";
import type {
  BuilderServiceListCapabilitiesResponse,
  Capability,
  ProjectLayerCaches,
} from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";

/** A missing capability that is set up in the meantime appears automatically. */
const LOOK_AGAIN_MS = 5_000;

const hasLack = ({ capabilities }: BuilderServiceListCapabilitiesResponse): boolean =>
  capabilities.some(({ state, command }) => state === "missing" || command !== "");

/** Why nothing can build here; undefined: something can, or it is unknown. */
export function findLack(known: BuilderServiceListCapabilitiesResponse | undefined): Capability | undefined {
  const images = known?.capabilities.filter(({ name }) => name.startsWith("Images for ")) ?? [];
  return images.every(({ state }) => state === "missing") ? images[0] : undefined;
}

/** The server's current capabilities. With `builds`: builds that begin or end change it. */
export const capabilitiesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["builds", organization, "capabilities"],
    queryFn: ({ signal }): Promise<BuilderServiceListCapabilitiesResponse> =>
      call("BuilderService/ListCapabilities", {}, { organization, signal }),
    refetchInterval: ({ state: { data } }) => (data && hasLack(data) ? LOOK_AGAIN_MS : false),
  });

export const layerCachesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["builds", organization, "all-layers"],
    queryFn: async ({ signal }): Promise<ProjectLayerCaches[]> =>
      (await call("BuilderService/ListLayerCaches", {}, { organization, signal })).projects,
  });
