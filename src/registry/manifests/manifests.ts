/** Manifests and tags of a repository. */
import { CompiledQuery } from "kysely";
import { askDatabase } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { readBlob } from "#platform/blobs/read-blob.ts";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import { MANIFEST_READS_BYTES, MANIFEST_WAIT_MS, MAX_MANIFEST_BYTES } from "../contract/limits.ts";
import { createManifestMemory, type ManifestMemory } from "./memory.ts";
import { algorithmOf, isTag } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { createPullBuffer } from "./pulls.ts";
import { createPutting } from "./put.ts";
import { listReferrers } from "./referrers.ts";
import type { Manifest, Manifests } from "../contract/registry.ts";
import type { RegistryDatabase } from "../contract/schema.ts";
import { shareAnswers } from "./shared-answers.ts";
import { createRemoving } from "./remove.ts";
import { listTags } from "./tags.ts";
import { createTagEvents } from "./tag-events.ts";

export interface RunningManifests extends Manifests {
  /** Writes the pulls that were counted. */
  close(): Promise<void>;
}

export function createManifests(parts: RegistryParts): RunningManifests {
  const { database, clock } = parts;
  const memory = createManifestMemory(database.kind, clock);
  const shared = shareAnswers<Manifest | undefined>();
  const pulls = createPullBuffer(parts);
  const tools = { parts, memory, events: createTagEvents(parts) };
  return {
    put: createPutting(tools),
    remove: createRemoving(tools),
    async find({ repository }, reference) {
      const { id, organizationId } = repository;
      return (
        memory.find(id, reference) ??
        (await shared(`${id} ${reference}`, () =>
          loadManifest(parts, memory, { named: [id, reference], holder: organizationId }),
        ))
      );
    },
    countPull: pulls.count,
    listTags: ({ repository }, page) => askDatabase(() => listTags(database, repository.id, page)),
    listReferrers: ({ repository }, of) => askDatabase(() => listReferrers(database, repository.id, of)),
    forget: (repositoryId) => memory.forget(repositoryId),
    close: pulls.close,
  };
}

/** Many large manifests that are requested at the same time would all be in memory before the first of them is answered. */
const reads = createMessageRoom({ bytes: MANIFEST_READS_BYTES, waitMs: MANIFEST_WAIT_MS });

const BY_DIGEST = `select m.digest, m.media_type, m.size from registry_manifests m where m.repository_id = ? and m.digest = ?`;
const BY_TAG = `select m.digest, m.media_type, m.size from registry_tags t
join registry_manifests m on m.repository_id = t.repository_id and m.digest = t.digest
where t.repository_id = ? and t.name = ?`;
const forPostgres = (query: string) => query.replace("?", "$1").replace("?", "$2");
/** Written out: building this query takes longer than running it. */
const QUERIES = {
  sqlite: [BY_TAG, BY_DIGEST],
  postgres: [forPostgres(BY_TAG), forPostgres(BY_DIGEST)],
} as const;

interface ManifestRow {
  digest: string;
  media_type: string;
  size: number;
}

async function findManifest(
  { db, kind }: RegistryDatabase,
  named: readonly [repositoryId: string, reference: string],
  isDigest: boolean,
): Promise<ManifestRow | undefined> {
  const query = CompiledQuery.raw(QUERIES[kind][isDigest ? 1 : 0], [...named]);
  const { rows } = await db.executeQuery(query as CompiledQuery<ManifestRow>);
  return rows[0];
}

/** @returns undefined also for a manifest whose bytes are lost */
async function loadManifest(
  { blobs, database }: RegistryParts,
  memory: ManifestMemory,
  {
    named: [repositoryId, reference],
    holder,
  }: { named: readonly [repositoryId: string, reference: string]; holder: string },
): Promise<Manifest | undefined> {
  const isDigest = reference.includes(":");
  if (isDigest ? !algorithmOf(reference) : !isTag(reference)) return undefined;
  const remember = memory.begin();
  const row = await askDatabase(() => findManifest(database, [repositoryId, reference], isDigest));
  if (!row) return undefined;
  const known = memory.find(repositoryId, row.digest);
  if (known?.mediaType === row.media_type) return known;
  const bytes = await readBytes(blobs, row, holder);
  if (!bytes) return undefined;
  const manifest = { digest: row.digest, mediaType: row.media_type, bytes };
  remember(repositoryId, reference, manifest);
  return manifest;
}

/** @returns null or undefined when the bytes are lost. @throws NoRoomError */
async function readBytes(
  blobs: Blobs,
  { digest, size }: ManifestRow,
  holder: string,
): Promise<Uint8Array | null | undefined> {
  const place = reads.take(holder, size);
  try {
    if (place.ready) await place.ready;
    const blob = await askDatabase(() => blobs.find(digest));
    return blob && (await readBlob(blobs, blob, { maxBytes: MAX_MANIFEST_BYTES }));
  } finally {
    place.release();
  }
}
