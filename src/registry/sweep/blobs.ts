/** Sweeps a portion of blobs: those that no manifest of their repository names are removed a day after their last use. */
import { type Expression, sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import { GRACE_MS, LOOK_AGAIN_MS, SWEPT_BLOBS } from "../contract/limits.ts";
import { isMirrorId } from "../contract/names.ts";
import type { RegistryTransaction } from "../contract/schema.ts";
import type { SweepOptions } from "./manifests.ts";

/** @returns whether there may be more */
export function sweepBlobs({ database, blobs, clock }: SweepOptions): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const now = clock();
    const found = await findCandidates(transaction, now);
    const again = now + Math.ceil(LOOK_AGAIN_MS * (0.5 + Math.random() / 2));
    const dropped = new Map<string, number>();
    for (const [repositoryId, those] of Map.groupBy(found, (row) => row.repository_id)) {
      const { named = [], young = [], removed = [] } = judge(those, now);
      await postpone(transaction, { repositoryId, digests: named }, again);
      await postpone(transaction, { repositoryId, digests: young }, sql<number>`used_at + ${GRACE_MS}`);
      await removeBlobs(transaction, { repositoryId, digests: removed });
      for (const digest of removed) dropped.set(digest, (dropped.get(digest) ?? 0) + 1);
    }
    if (dropped.size > 0) await blobs.drop(transaction, dropped);
    return found.length === SWEPT_BLOBS;
  });
}

const findCandidates = (transaction: RegistryTransaction, now: number) =>
  transaction
    .selectFrom("registry_blobs as blob")
    .select(["blob.repository_id", "blob.digest", "blob.used_at"])
    .select(({ exists, selectFrom }) =>
      exists(
        // The first one is enough: a base image's layer may be named by all images.
        selectFrom("registry_references as reference")
          .select(sql.lit(1).as("one"))
          .whereRef("reference.repository_id", "=", "blob.repository_id")
          .whereRef("reference.digest", "=", "blob.digest"),
      ).as("is_named"),
    )
    .where("blob.sweep_at", "<=", now)
    .orderBy("blob.sweep_at")
    .limit(SWEPT_BLOBS)
    .execute();

type Candidate = Awaited<ReturnType<typeof findCandidates>>[number];

/** Digests by their outcome. */
function judge(
  candidates: readonly Candidate[],
  now: number,
): Partial<Record<"named" | "young" | "removed", string[]>> {
  const judged: ReturnType<typeof judge> = {};
  for (const { digest, is_named: isNamed, used_at: usedAt, repository_id: repositoryId } of candidates) {
    const isKept = isNamed || isMirrorId(repositoryId);
    const what = isKept ? "named" : usedAt + GRACE_MS > now ? "young" : "removed";
    (judged[what] ??= []).push(digest);
  }
  return judged;
}

interface SomeBlobs {
  repositoryId: string;
  digests: readonly string[];
}

/** The caller drops the references of `platform/blobs`. */
export async function removeBlobs(
  transaction: RegistryTransaction,
  { repositoryId, digests }: SomeBlobs,
): Promise<void> {
  if (digests.length === 0) return;
  await transaction
    .deleteFrom("registry_blobs")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .execute();
}

async function postpone(
  transaction: RegistryTransaction,
  { repositoryId, digests }: SomeBlobs,
  at: number | Expression<number>,
): Promise<void> {
  if (digests.length === 0) return;
  await transaction
    .updateTable("registry_blobs")
    .set({ sweep_at: at })
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .execute();
}
