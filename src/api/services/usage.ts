import { getUsage, type UsageDay } from "#accounts/index.ts";
import type { ServiceMethods } from "../calls/call.ts";
import type { UsageService } from "../gen/millrace/v1/usage_service_pb.ts";
import { fromTimestamp } from "./convert.ts";

export const usageMethods: ServiceMethods<typeof UsageService> = {
  /** Counts of parts that do not exist yet are 0. */
  async getUsage(call, { from, to, projectId }) {
    const input = { from: fromTimestamp(from), to: fromTimestamp(to), projectId };
    const usage = await getUsage(call.accounts, call, input);
    // `getUsage` has checked whether the caller may know it.
    const { organizationId } = call.actor;
    const of = organizationId === null ? null : { organizationId, ...(projectId !== "" && { projectId }) };
    const isNow = input.to === undefined || input.to >= call.accounts.clock();
    const [runningMs, layerCacheBytes, imageBytes, cacheBytes] = await Promise.all([
      isNow && of ? call.builds?.runningMs({ ...of, projectId }) : 0,
      of ? call.builds?.layerBytes(call, projectId) : 0,
      of ? call.images?.countBytes(of) : 0,
      // A cache namespace belongs to the organization.
      of && projectId === "" ? call.cache?.countBytes(of) : 0,
    ]);
    return {
      ...toCounts(usage),
      builds: BigInt(usage.builds),
      buildSeconds: BigInt(Math.round((usage.buildMs + (runningMs ?? 0)) / 1000)),
      projects: BigInt(usage.projects),
      members: BigInt(usage.members ?? 0),
      layerCacheBytes: BigInt(layerCacheBytes ?? 0),
      imageBytes: BigInt(imageBytes ?? 0),
      cacheBytes: BigInt(cacheBytes ?? 0),
      days: usage.days.map((day) => ({ date: day.date, ...toCounts(day) })),
    };
  },
};

const toCounts = ({ apiCalls, jobTokens, refusedJobs }: Omit<UsageDay, "date">) => ({
  apiCalls: BigInt(apiCalls ?? 0),
  jobTokens: BigInt(jobTokens),
  refusedJobs: BigInt(refusedJobs),
});
