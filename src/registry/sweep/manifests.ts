/**
 * A portion of manifests that the sweep must check: manifests that something keeps wait for their next turn, the rest is
 * removed.
 *
 *   a tag of its own ──────────────────────────────► later
 *   ids of builds, younger than the retention ─────► when they are older
 *   ids of builds, older ─► the tags go ─┐
 *   no tag of these ─────────────────────┴─► an index names it, its subject is there,
 *                                            its tag names an image that is there ────► later
 *                                            pushed within a day ──────────────────────► when it is older
 *                                            otherwise ────────────────────────────────► removed
 *
 * A tag that names an image (`sha256-….sig`) is removed a day after its manifest was pushed, if that image does not exist.
 */
import { type Expression, sql, type SqlBool } from "kysely";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { inTransaction } from "#platform/database/database.ts";
import {
  GRACE_MS,
  LOOK_AGAIN_MS,
  RETENTION_LOOK_MS,
  SWEPT_MANIFESTS,
  SWEPT_REFERENCES,
} from "../contract/limits.ts";
import { isMirrorId } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { removeManifestRows } from "./remove-rows.ts";
import {
  expiresAt,
  hasImageIn,
  isAttachedIn,
  isSavedBuildIn,
  type Keeping,
  tagsExpireAt,
} from "./retention.ts";
import type { RegistryTransaction } from "../contract/schema.ts";
import { markNamedBy } from "./marks.ts";

export interface SweepOptions extends RegistryParts {
  /** Called after rows of manifests or tags were changed. */
  forget: (repositoryId: string) => void;
  /** Removes pulled-through content, which is kept by other rules. */
  sweepMirrors?: (signal: AbortSignal) => Promise<void>;
}

interface Candidate extends Keeping {
  repositoryId: string;
  digest: string;
  /** A tag names an image that does not exist. */
  hasStaleTag: boolean;
  /** How many blobs and manifests it names. */
  references: number;
}

/** @returns whether there may be more */
export async function sweepManifests(options: SweepOptions): Promise<boolean> {
  const { database, blobs, forget } = options;
  const touched = new Set<string>();
  try {
    return await inTransaction(database, async (transaction) => {
      const now = options.clock();
      const found = await findCandidates(transaction, now);
      const candidates = takePortion(found);
      for (const [repositoryId, those] of Map.groupBy(candidates, (candidate) => candidate.repositoryId)) {
        const { expired, stale, removed, later } = judge(those, now, options.retentionMs);
        if (expired.length + stale.length + removed.length > 0) touched.add(repositoryId);
        // Before the removals: these mark the manifests that they kept until now, in this portion too.
        await postpone(transaction, repositoryId, later);
        await removeTags(transaction, { repositoryId, digests: expired }, IS_SAVED);
        await removeTags(transaction, { repositoryId, digests: stale }, IS_STALE);
        await removeManifests(transaction, blobs, { repositoryId, digests: removed });
      }
      // Removed manifests may have kept others.
      return touched.size > 0 || found.length === SWEPT_MANIFESTS || candidates.length < found.length;
    });
  } finally {
    // Also when it is unknown whether the transaction was committed.
    for (const repositoryId of touched) forget(repositoryId);
  }
}

/** The work depends on the number of references, so the last manifests may have to wait for the next transaction. */
function takePortion(candidates: readonly Candidate[]): Candidate[] {
  let references = 0;
  return candidates.filter((candidate, index) => {
    references += candidate.references;
    return index === 0 || references <= SWEPT_REFERENCES;
  });
}

interface Judged {
  /** Digests of images whose tags of saved builds are removed. */
  expired: string[];
  /** Digests of manifests with tags of images that do not exist. */
  stale: string[];
  removed: string[];
  /** By the time of their next check. */
  later: Map<number, string[]>;
}

function judge(candidates: readonly Candidate[], now: number, retentionMs: number): Judged {
  const judged: Judged = { expired: [], stale: [], removed: [], later: new Map() };
  // Spread out, so that not all are checked together again.
  const again = now + Math.ceil(LOOK_AGAIN_MS * (0.5 + Math.random() / 2));
  for (const candidate of candidates) {
    const { digest, repositoryId } = candidate;
    if (isMirrorId(repositoryId)) {
      judged.later.set(again, [...(judged.later.get(again) ?? []), digest]);
      continue;
    }
    const tagsUntil = candidate.hasSavedTag ? tagsExpireAt(candidate, retentionMs) : null;
    const isExpired = tagsUntil !== null && tagsUntil <= now;
    if (isExpired) judged.expired.push(digest);
    const until = expiresAt(isExpired ? { ...candidate, hasSavedTag: false } : candidate, retentionMs);
    if (until !== null && until <= now) {
      judged.removed.push(digest);
      continue;
    }
    const waits = tagsUntil !== null && !isExpired ? [tagsUntil, now + RETENTION_LOOK_MS] : [];
    const staleAt = candidate.pushedAt + GRACE_MS;
    if (candidate.hasStaleTag && staleAt <= now) judged.stale.push(digest);
    else if (candidate.hasStaleTag) waits.push(staleAt);
    const at = Math.min(until ?? again, ...waits);
    judged.later.set(at, [...(judged.later.get(at) ?? []), digest]);
  }
  return judged;
}

async function findCandidates(transaction: RegistryTransaction, now: number): Promise<Candidate[]> {
  const rows = await transaction
    .selectFrom("registry_manifests as manifest")
    .select(["manifest.repository_id", "manifest.digest", "manifest.pushed_at"])
    .select(({ exists, selectFrom, or }) => {
      const tags = selectFrom("registry_tags as tag")
        .select(sql.lit(1).as("one"))
        .whereRef("tag.repository_id", "=", "manifest.repository_id")
        .whereRef("tag.digest", "=", "manifest.digest");
      const isSaved = isSavedBuildIn(sql.ref("tag.name"));
      const attached = tags.where(isAttachedIn("tag"));
      const index = selectFrom("registry_references as child")
        .select(sql.lit(1).as("one"))
        .whereRef("child.repository_id", "=", "manifest.repository_id")
        .whereRef("child.digest", "=", "manifest.digest")
        .where("child.kind", "=", "manifest");
      const subject = selectFrom("registry_manifests as subject")
        .select(sql.lit(1).as("one"))
        .whereRef("subject.repository_id", "=", "manifest.repository_id")
        .whereRef("subject.digest", "=", "manifest.subject");
      return [
        exists(tags.where(sql<boolean>`not ${isSaved} and not ${isAttachedIn("tag")}`)).as("has_own_tag"),
        exists(tags.where(isSaved)).as("has_saved_tag"),
        or([exists(index), exists(subject), exists(attached.where(hasImageIn("tag")))]).as("is_named"),
        exists(attached.where(sql<boolean>`not ${hasImageIn("tag")}`)).as("has_stale_tag"),
        selectFrom("registry_references as named")
          .select(sql<number>`coalesce(max(position), -1) + 1`.as("count"))
          .whereRef("named.repository_id", "=", "manifest.repository_id")
          .whereRef("named.manifest_digest", "=", "manifest.digest")
          .as("named"),
      ];
    })
    .where("manifest.sweep_at", "<=", now)
    .orderBy("manifest.sweep_at")
    .limit(SWEPT_MANIFESTS)
    .execute();
  return rows.map((row) => ({
    repositoryId: row.repository_id,
    digest: row.digest,
    pushedAt: row.pushed_at,
    hasOwnTag: Boolean(row.has_own_tag),
    hasSavedTag: Boolean(row.has_saved_tag),
    hasStaleTag: Boolean(row.has_stale_tag),
    isNamed: Boolean(row.is_named),
    references: row.named ?? 0,
  }));
}

const IS_SAVED = isSavedBuildIn(sql.ref("registry_tags.name"));
const IS_STALE = sql<SqlBool>`(${isAttachedIn("registry_tags")} and not ${hasImageIn("registry_tags")})`;

/** Removes the matching tags of the images. */
async function removeTags(
  transaction: RegistryTransaction,
  { repositoryId, digests }: SomeManifests,
  isMeant: Expression<SqlBool>,
): Promise<void> {
  if (digests.length === 0) return;
  await transaction
    .deleteFrom("registry_tags")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .where(isMeant)
    .execute();
}

interface SomeManifests {
  repositoryId: string;
  digests: readonly string[];
}

/** Removes manifests with their references. */
async function removeManifests(
  transaction: RegistryTransaction,
  blobs: Blobs,
  { repositoryId, digests }: SomeManifests,
): Promise<void> {
  if (digests.length === 0) return;
  await markNamedBy(transaction, repositoryId, digests);
  await removeManifestRows(transaction, repositoryId, digests);
  await blobs.drop(transaction, new Map(digests.map((digest) => [digest, 1])));
}

async function postpone(
  transaction: RegistryTransaction,
  repositoryId: string,
  later: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  for (const [at, digests] of later)
    await transaction
      .updateTable("registry_manifests")
      .set({ sweep_at: at })
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", digests)
      .execute();
}
