import { Code, ConnectError } from "@connectrpc/connect";
import type { Image, ImagePlatform, Images, RepositorySummary } from "#registry/index.ts";
import type { Call, ServiceMethods } from "../calls/call.ts";
import type { ImageService } from "../gen/millrace/v1/image_service_pb.ts";
import { toItems, toTimestamp } from "./convert.ts";

export const imageMethods: ServiceMethods<typeof ImageService> = {
  async list(call, input) {
    const page = await requireImages(call).list(call.actor, input);
    return { images: toItems(page, toImage), nextPageToken: page.nextPageToken };
  },

  async get(call, input) {
    const details = await requireImages(call).get(call.actor, input);
    const { image, platforms, referrers, commitSha, freedBytes, repository } = details;
    return {
      image: toImage(image),
      platforms: platforms.map(toPlatform),
      referrers: referrers.map(({ sizeBytes, ...referrer }) => ({
        ...referrer,
        sizeBytes: BigInt(sizeBytes),
      })),
      commitSha,
      freedBytes: BigInt(freedBytes),
      repository,
    };
  },

  async delete(call, input) {
    const { freedBytes } = await requireImages(call).remove(call.actor, input);
    return { freedBytes: BigInt(freedBytes) };
  },

  async tag(call, input) {
    return { image: toImage(await requireImages(call).tag(call.actor, input)) };
  },

  async listRepositories(call, input) {
    const page = await requireImages(call).listRepositories(call.actor, input);
    return { repositories: toItems(page, toRepository), nextPageToken: page.nextPageToken };
  },
};

function requireImages({ images }: Call): Images {
  if (images) return images;
  throw new ConnectError("The registry is not part of this server yet.", Code.Unimplemented);
}

const toImage = ({ sizeBytes, ownBytes, createdAt, expiresAt, pulls, pulledAt, ...image }: Image) => ({
  ...image,
  tags: [...image.tags],
  platforms: [...image.platforms],
  sizeBytes: BigInt(sizeBytes),
  ownBytes: BigInt(ownBytes),
  createdAt: toTimestamp(createdAt),
  expiresAt: toTimestamp(expiresAt),
  pulls: BigInt(pulls),
  pulledAt: toTimestamp(pulledAt),
});

const toPlatform = ({ platform, digest, sizeBytes, layers }: ImagePlatform) => ({
  platform,
  digest,
  sizeBytes: BigInt(sizeBytes),
  layers: layers.map(({ sizeBytes: bytes, ...layer }) => ({ ...layer, sizeBytes: BigInt(bytes) })),
});

const toRepository = (repository: RepositorySummary) => ({
  projectId: repository.projectId,
  name: repository.name,
  tags: BigInt(repository.tags),
  savedBuilds: BigInt(repository.savedBuilds),
  storedBytes: BigInt(repository.storedBytes),
  imageBytes: BigInt(repository.imageBytes),
  pushedAt: toTimestamp(repository.pushedAt),
});
