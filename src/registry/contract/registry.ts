/**
 * The base of the protocol, the API and builds: who may use which repository, and its content.
 *
 *   /v2/<name>/…  ─► grant ─► blobs, uploads, manifests, tags, referrers of one repository
 *   ImageService  ─► images: the same, as people see it
 */
import type { Accounts, Actor } from "#accounts/index.ts";
import type { Blob, Blobs } from "#platform/blobs/blobs.ts";
import type { Mirrors } from "./mirrors.ts";
import type { Images } from "./images.ts";

export type Right = "pull" | "push";

export interface Repository {
  /** A project's id, `prj_…`; `rep_…` for pulled-through content. */
  id: string;
  /** `acme/web`, `mirror/docker.io/library/alpine` */
  name: string;
  /** "": shared by all. */
  organizationId: string;
  /** Null: pulled-through content. */
  projectId: string | null;
}

/** A caller's right to one repository. */
export interface Grant {
  repository: Repository;
  right: Right;
  actor: Actor;
}

/** A repository that a token of `/v2/token` is for. */
export interface Scope {
  name: string;
  rights: readonly Right[];
}

export interface RegistryCaller {
  actor: Actor;
  /** Null: everything that the actor may do. */
  scopes: readonly Scope[] | null;
}

export interface Manifest {
  digest: string;
  mediaType: string;
  /** As they were pushed. */
  bytes: Uint8Array;
}

export interface PutManifest {
  /** A tag or a digest. */
  reference: string;
  /** `Content-Type` of the request. */
  mediaType: string;
  bytes: Uint8Array;
  /** Further tags, for a push by digest. */
  tags?: readonly string[];
}

/** As in the list of referrers. */
export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  artifactType?: string;
  annotations?: Readonly<Record<string, string>>;
}

/** A part of a list; `last` of the next question is the last name of this one. */
export interface Listed<Item> {
  items: readonly Item[];
  hasMore: boolean;
}

export interface ReferrersQuestion {
  digest: string;
  artifactType?: string | undefined;
  last?: string | undefined;
  /** Called once, before more than a few are read: resolves when there is memory for them. */
  awaitRoom?: () => Promise<unknown>;
}

export interface UploadState {
  /** `upl_…` */
  id: string;
  receivedBytes: number;
}

/** Bytes of an upload, from one request. */
export interface Chunk {
  /**
   * Calls `take` with the bytes, in order; if the client leaves, the bytes it has sent are kept. The pieces must not be used
   * after `take` resolves.
   */
  read: (take: (pieces: readonly Uint8Array[]) => Promise<void>) => Promise<void>;
  /** Where it begins, if the client says. */
  start?: number | undefined;
  /** How long it is, if the client says. */
  size?: number | undefined;
}

export interface Uploads {
  /** @throws RegistryError for too many uploads, or above the quota */
  begin(grant: Grant): Promise<UploadState>;
  /** @throws RegistryError BLOB_UPLOAD_UNKNOWN */
  find(grant: Grant, id: string): Promise<UploadState>;
  /** Durable when it resolves. @throws RegistryError; 416 when it does not begin where the last one has ended */
  append(grant: Grant, id: string, chunk: Chunk): Promise<UploadState>;
  /** With a last chunk, if there is one. Durable when it resolves. @throws RegistryError DIGEST_INVALID, … */
  finish(grant: Grant, id: string, end: { digest: string; chunk?: Chunk | undefined }): Promise<void>;
  /** In one request. */
  put(grant: Grant, blob: { digest: string; chunk: Chunk }): Promise<void>;
  /** @throws RegistryError BLOB_UPLOAD_UNKNOWN */
  cancel(grant: Grant, id: string): Promise<void>;
}

export interface RepositoryBlobs {
  /** Counts as a use: it is not collected within the next day. */
  find(grant: Grant, digest: string): Promise<Blob | undefined>;
  /** An address where the client may fetch the blob, for a while; null: only here. */
  addressOf(blob: Blob): Promise<string | null>;
  /** From the named repository; undefined: from any that the caller may pull. @returns false when it is not there */
  mount(
    caller: RegistryCaller,
    to: Grant,
    blob: { digest: string; from?: string | undefined },
  ): Promise<boolean>;
  /** @returns false when it is not there. @throws RegistryError for one that a manifest names */
  remove(grant: Grant, digest: string): Promise<boolean>;
}

export interface Manifests {
  /** Durable when it resolves. @throws RegistryError */
  put(grant: Grant, manifest: PutManifest): Promise<{ digest: string; subject: string }>;
  /** @param reference a tag or a digest */
  find(grant: Grant, reference: string): Promise<Manifest | undefined>;
  /** Counts a pull of a found manifest. */
  countPull(grant: Grant, manifest: Pick<Manifest, "digest">): void;
  /** A tag, or a manifest with all its tags. @returns false when it is not there */
  remove(grant: Grant, reference: string): Promise<boolean>;
  /** Sorted by name. */
  listTags(
    grant: Grant,
    page: { limit?: number | undefined; last?: string | undefined },
  ): Promise<Listed<string>>;
  /** Sorted by digest. */
  listReferrers(grant: Grant, of: ReferrersQuestion): Promise<Listed<Descriptor>>;
  /** Call it after this process changed rows of manifests or tags in another way, and before anyone is notified. */
  forget(repositoryId: string): void;
}

export interface Registry {
  readonly accounts: Accounts;
  readonly blobs: Blobs;
  /** @throws RegistryError NAME_INVALID, NAME_UNKNOWN, DENIED; Refused when the database is unreachable */
  grant(caller: RegistryCaller, name: string, right: Right): Promise<Grant>;
  readonly uploads: Uploads;
  readonly repositoryBlobs: RepositoryBlobs;
  readonly manifests: Manifests;
  /** Organizations' credentials for other registries; absent where nothing is pulled through. */
  readonly mirrors?: Mirrors;
  /** A warning for a caller that pushes, in one sentence; "": none. */
  warning(grant: Grant): Promise<string>;
  /** The same content as people see it. */
  readonly images: Images;
  /** Ends background work, and writes what was counted. The database stays open. */
  close(): Promise<void>;
}
