import type { ServerMachine } from "#builds/index.ts";
import type { ServiceMethods } from "../calls/call.ts";
import type { BuilderService } from "../gen/millrace/v1/builder_service_pb.ts";
import { requireBuilds } from "./build.ts";
import { toTimestamp } from "./convert.ts";
import { toCache } from "./project.ts";

export const builderMethods: ServiceMethods<typeof BuilderService> = {
  async getEndpoint(call, request) {
    const { expiresAt, ...endpoint } = await requireBuilds(call).getEndpoint(call, request);
    return { ...endpoint, expiresAt: toTimestamp(expiresAt) };
  },

  async listPlatforms(call) {
    return { platforms: [...(await requireBuilds(call).platforms(call))] };
  },

  async listCapabilities(call) {
    const { capabilities, machines } = await requireBuilds(call).capabilities(call);
    return { capabilities: [...capabilities], machines: machines.map(toMachine) };
  },

  async listLayerCaches(call) {
    const projects = await requireBuilds(call).layerCaches(call);
    return {
      projects: projects.map(({ projectId, caches }) => ({ projectId, caches: caches.map(toCache) })),
    };
  },
};

const toMachine = ({
  isHere,
  heardAt,
  platforms,
  memoryBytes,
  freeBytes,
  builders,
  ...machine
}: ServerMachine) => ({
  ...machine,
  isHere,
  heardAt: toTimestamp(heardAt),
  platforms: [...platforms],
  memoryBytes: BigInt(memoryBytes),
  freeBytes: BigInt(freeBytes),
  builders: [...builders],
});
