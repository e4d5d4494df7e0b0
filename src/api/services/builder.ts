import type { ServiceMethods } from "../call.ts";
import type { BuilderService } from "../gen/millrace/v1/builder_service_pb.ts";
import { requireBuilds } from "./build.ts";
import { toTimestamp } from "./convert.ts";

export const builderMethods: ServiceMethods<typeof BuilderService> = {
  async getEndpoint(call, request) {
    const { expiresAt, ...endpoint } = await requireBuilds(call).getEndpoint(call, request);
    return { ...endpoint, expiresAt: toTimestamp(expiresAt) };
  },

  async listPlatforms(call) {
    return { platforms: [...(await requireBuilds(call).platforms(call))] };
  },
};
