import {
  checkTrust,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  type Project,
  type TrustCheck,
  updateProject,
} from "#accounts/index.ts";
import type { LayerCache } from "#builds/index.ts";
import { createKept, type ServiceMethods } from "../calls/call.ts";
import type { ProjectService } from "../gen/millrace/v1/project_service_pb.ts";
import { requireBuilds } from "./build.ts";
import { toItems, toNumber, toTimestamp } from "./convert.ts";

export const projectMethods: ServiceMethods<typeof ProjectService> = {
  create(call, { name, builderSize, cacheSizeBytes, retentionDays }) {
    const input = { name, builderSize, cacheSizeBytes: toNumber(cacheSizeBytes), retentionDays };
    return createKept(
      call,
      (caller) => createProject(call.accounts, caller, input),
      (project) => ({ project: toMessage(project) }),
    );
  },

  async get(call, { projectId }) {
    return { project: toMessage(await getProject(call.accounts, call, { projectId })) };
  },

  async list(call, request) {
    const page = await listProjects(call.accounts, call, request);
    return { projects: toItems(page, toMessage), nextPageToken: page.nextPageToken };
  },

  async update(call, { cacheSizeBytes, revision, ...request }) {
    const input = { ...request, cacheSizeBytes: toNumber(cacheSizeBytes), revision: toNumber(revision) };
    return { project: toMessage(await updateProject(call.accounts, call, input)) };
  },

  async delete(call, { projectId }) {
    await deleteProject(call.accounts, call, { projectId });
    return {};
  },

  async resetCache(call, { projectId, platform }) {
    return { freedBytes: BigInt(await requireBuilds(call).resetCache(call, { projectId, platform })) };
  },

  async getCacheUsage(call, { projectId }) {
    const caches = await requireBuilds(call).cacheUsage(call, projectId);
    return { caches: caches.map(toCache) };
  },

  async testTrust(call, { projectId, trustRelationship: relationship, oidcToken }) {
    const checks = await checkTrust(call.accounts, call, { projectId, relationship, oidcToken });
    return { tests: checks.map(toTrustTest) };
  },
};

const toMessage = ({
  cacheSizeBytes,
  trustRelationships,
  spoiledCache,
  createdAt,
  revision,
  ...project
}: Project) => ({
  id: project.id,
  name: project.name,
  builderSize: project.builderSize,
  retentionDays: project.retentionDays,
  cacheSizeBytes: BigInt(cacheSizeBytes),
  immutableTags: [...project.immutableTags],
  spoiledCache: spoiledCache
    ? {
        platforms: [...spoiledCache.platforms],
        since: toTimestamp(spoiledCache.since),
        resetAt: toTimestamp(spoiledCache.resetAt),
        images: [...spoiledCache.images],
        hasMoreImages: spoiledCache.hasMoreImages,
      }
    : undefined,
  trustRelationships: trustRelationships.map(({ issuer, claims, cache }) => ({ issuer, claims, cache })),
  createdAt: toTimestamp(createdAt),
  revision: BigInt(revision),
});

export const toCache = ({ platform, bytes, quotaBytes, layers }: LayerCache) => ({
  platform,
  sizeBytes: BigInt(bytes),
  quotaBytes: BigInt(quotaBytes),
  layers: BigInt(layers),
});

const toTrustTest = ({ exchangeId, subject, time, matches, checks }: TrustCheck) => ({
  exchangeId: exchangeId ?? "",
  subject,
  time: toTimestamp(time),
  matches,
  checks: [...checks],
});
