/** Images as people see them, and the operations on them. */
import type { Actor, Page, PageInput } from "#accounts/index.ts";

export interface Image {
  digest: string;
  mediaType: string;
  /** Sorted by name. */
  tags: readonly string[];
  platforms: readonly string[];
  sizeBytes: number;
  /** Bytes of layers that no other tagged image of the project has. */
  ownBytes: number;
  /** "": none. */
  buildId: string;
  /** When it was last pushed. */
  createdAt: number;
  /** Null while it has a tag of its own. */
  expiresAt: number | null;
  pushedBy: string;
  pulls: number;
  pulledAt: number | null;
  pulledBy: string;
}

export interface ImageQuery {
  /** The beginning of a tag, a digest or a commit; "": all. */
  query?: string;
  withoutSavedBuilds?: boolean;
}

export interface ImageLayer {
  digest: string;
  sizeBytes: number;
  /** The step that made it; "": unknown. */
  createdBy: string;
  /** Whether another tagged image of the project has it. */
  isShared: boolean;
}

export interface ImagePlatform {
  /** `linux/arm64`; "": unknown. */
  platform: string;
  digest: string;
  sizeBytes: number;
  layers: readonly ImageLayer[];
}

export interface ImageDetails {
  image: Image;
  platforms: readonly ImagePlatform[];
  referrers: readonly ImageReferrer[];
  commitSha: string;
  freedBytes: number;
  /** `acme/web` */
  repository: string;
}

export type ReferrerName = "signature" | "SBOM" | "provenance" | "";

export interface ImageReferrer {
  digest: string;
  artifactType: string;
  /** "": another type. */
  name: ReferrerName;
  sizeBytes: number;
}

export interface RepositorySummary {
  projectId: string;
  name: string;
  tags: number;
  /** Tags that are ids of builds. */
  savedBuilds: number;
  /** Blobs and manifests, each once. */
  storedBytes: number;
  /** Sum over all tagged images, as if they shared nothing. */
  imageBytes: number;
  pushedAt: number;
}

export interface RemovedImage {
  /** Bytes that the organization's quota gets back, by the next collections. */
  freedBytes: number;
}

interface OfProject {
  projectId: string;
}

export interface ImageReference extends OfProject {
  /** A tag, a build's id, or a digest, of which the first 12 digits are enough. */
  reference: string;
}

/** All methods throw `Refused`. */
export interface Images {
  /** Newest first. */
  list(actor: Actor, input: OfProject & ImageQuery & PageInput): Promise<Page<Image>>;
  get(actor: Actor, input: ImageReference): Promise<ImageDetails>;
  /** A tag, or by digest the image with all its tags. */
  remove(actor: Actor, input: ImageReference): Promise<RemovedImage>;
  tag(actor: Actor, input: ImageReference & { tag: string }): Promise<Image>;
  listRepositories(actor: Actor, input: PageInput): Promise<Page<RepositorySummary>>;
  /** Bytes of images, each blob counted once. The caller must check the right to know them. */
  countBytes(of: { organizationId: string; projectId?: string | undefined }): Promise<number>;
}
