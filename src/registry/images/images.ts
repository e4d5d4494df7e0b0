/** Images as people see them: what ImageService and the application show of a project's repository. */
import { type Actor, askDatabase, Refused } from "#accounts/index.ts";
import { createImageReading, type ImageReading } from "./access.ts";
import { countBytes } from "./bytes.ts";
import type { Image, ImageReference, Images } from "../contract/images.ts";
import { readDetails } from "./details.ts";
import { findImage, listImages } from "./list.ts";
import { listRepositories } from "./repositories.ts";
import { removeImage } from "./remove.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Registry } from "../contract/registry.ts";

export function createImages(
  parts: RegistryParts,
  { grant, manifests }: Pick<Registry, "grant" | "manifests">,
): Images {
  const reading = createImageReading(parts, grant);
  return {
    async list(actor, { projectId, ...input }) {
      const { repository } = await reading.open(actor, projectId, "pull");
      return askDatabase(() => listImages(parts, repository.id, input));
    },
    async get(actor, { projectId, reference }) {
      const { repository } = await reading.open(actor, projectId, "pull");
      const digest = await reading.resolve(repository, reference);
      return askDatabase(() => readDetails(parts, repository, digest));
    },
    async remove(actor, { projectId, reference }) {
      const granted = await reading.open(actor, projectId, "push");
      return removeImage({ parts, manifests, reading }, granted, reference);
    },
    tag: (actor, input) => tagImage({ parts, manifests, reading }, actor, input),
    listRepositories: (actor, input) => listRepositories(parts, actor, input),
    countBytes: (of) => askDatabase(() => countBytes(parts.database, of)),
  };
}

interface Tools {
  parts: RegistryParts;
  manifests: Registry["manifests"];
  reading: ImageReading;
}

async function tagImage(
  { parts, manifests, reading }: Tools,
  actor: Actor,
  { projectId, reference, tag }: ImageReference & { tag: string },
): Promise<Image> {
  const granted = await reading.open(actor, projectId, "push");
  reading.requireTag(tag);
  const digest = await reading.resolve(granted.repository, reference);
  const manifest = await manifests.find(granted, digest);
  if (!manifest)
    throw new Refused("not_found", `the image ${reference} is damaged or was just removed; push it again`);
  await reading.translate(() => manifests.put(granted, { ...manifest, reference: tag }), "tag");
  const image = await askDatabase(() => findImage(parts, granted.repository.id, digest));
  if (!image) throw new Refused("not_found", `the image ${reference} was just removed`);
  return image;
}
