import { getUsage } from "#accounts/index.ts";
import type { ServiceMethods } from "../call.ts";
import type { UsageService } from "../gen/millrace/v1/usage_service_pb.ts";
import { fromTimestamp } from "./convert.ts";

export const usageMethods: ServiceMethods<typeof UsageService> = {
  /** Counts of parts that do not exist yet are 0. */
  async getUsage(call, { from, to, projectId }) {
    const input = { from: fromTimestamp(from), to: fromTimestamp(to), projectId };
    const { apiCalls, projects, members } = await getUsage(call.accounts, call, input);
    return {
      apiCalls: BigInt(apiCalls ?? 0),
      projects: BigInt(projects),
      members: BigInt(members ?? 0),
    };
  },
};
