/** Bytes that a delete gives back. */
import { sql } from "kysely";
import { inPortions } from "./portions.ts";
import { MAX_LISTED } from "../contract/limits.ts";
import { attachedTags } from "../contract/names.ts";
import type { Repository } from "../contract/registry.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

type Db = RegistryDatabase["db"];
type Place = Pick<Repository, "id" | "organizationId">;

interface Sized {
  digest: string;
  size: number;
}

/**
 * Bytes that deleting an image gives back over time: blobs of the image, of its manifests that nothing else names, and of its
 * referrers. Only bytes that nothing else of the organization has are counted, so that the sum is what its quota gets back;
 * equal blobs of other organizations are not revealed.
 */
export async function countFreed(db: Db, place: Place, image: string): Promise<number> {
  const parts = [image, ...(await selectParts(db, place, image))];
  const doomed = [
    ...new Set([...parts, ...(await inPortions(parts, (some) => selectReferrers(db, place, some)))]),
  ];
  const manifests = await inPortions(doomed, (some) => selectManifests(db, place, some));
  const named = await inPortions(doomed, (some) => selectNamed(db, place, some));
  const gone = new Set(doomed);
  const digests = [...new Set(named.map(({ digest }) => digest))];
  const blobs = await inPortions(digests, (some) => selectUnnamed(db, place, { digests: some, gone }));
  const sizes = new Map([...manifests, ...blobs].map(({ digest, size }) => [digest, size]));
  const kept = new Set(await inPortions([...sizes.keys()], (some) => selectElsewhere(db, place, some)));
  return [...sizes].reduce((sum, [digest, size]) => sum + (kept.has(digest) ? 0 : size), 0);
}

/** Untagged manifests of the index that no other index names. */
async function selectParts(db: Db, { id }: Place, image: string): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select r.digest from registry_references r
    where r.repository_id = ${id} and r.manifest_digest = ${image} and r.kind = 'manifest'
      and not exists (select 1 from registry_tags t where t.repository_id = ${id} and t.digest = r.digest)
      and not exists (select 1 from registry_references o where o.repository_id = ${id}
        and o.digest = r.digest and o.kind = 'manifest' and o.manifest_digest <> ${image})`.execute(db);
  return rows.map(({ digest }) => digest);
}

/** By subject, and by the tags that cosign makes. */
async function selectReferrers(db: Db, { id }: Place, subjects: readonly string[]): Promise<string[]> {
  const attached = sql.join(subjects.flatMap(attachedTags));
  const { rows } = await sql<{ digest: string }>`
    select m.digest from registry_manifests m
    where m.repository_id = ${id} and (m.subject in (${sql.join(subjects)}) or m.digest in (
        select a.digest from registry_tags a where a.repository_id = ${id} and a.name in (${attached})))
      and m.digest not in (${sql.join(subjects)})
      and not exists (select 1 from registry_tags t where t.repository_id = ${id} and t.digest = m.digest
        and t.name not in (${attached}))
    limit ${sql.lit(MAX_LISTED)}`.execute(db);
  return rows.map(({ digest }) => digest);
}

function selectManifests(db: Db, { id }: Place, digests: readonly string[]): Promise<Sized[]> {
  return db
    .selectFrom("registry_manifests")
    .select(["digest", "size"])
    .where("repository_id", "=", id)
    .where("digest", "in", digests)
    .execute();
}

function selectNamed(db: Db, { id }: Place, manifests: readonly string[]): Promise<{ digest: string }[]> {
  return db
    .selectFrom("registry_references")
    .select("digest")
    .where("repository_id", "=", id)
    .where("manifest_digest", "in", manifests)
    .where("kind", "!=", "manifest")
    .execute();
}

/** Blobs of the repository that only these manifests name. */
async function selectUnnamed(
  db: Db,
  { id }: Place,
  { digests, gone }: { digests: readonly string[]; gone: ReadonlySet<string> },
): Promise<Sized[]> {
  const { rows } = await sql<Sized>`
    select b.digest, b.size from registry_blobs b
    where b.repository_id = ${id} and b.digest in (${sql.join(digests)})
      and not exists (select 1 from registry_references o where o.repository_id = ${id}
        and o.digest = b.digest and o.manifest_digest not in (${sql.join([...gone])}))`.execute(db);
  return rows;
}

/** Blobs that another repository of the organization has. */
async function selectElsewhere(
  db: Db,
  { id, organizationId }: Place,
  digests: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select o.digest from registry_blobs o
    where o.digest in (${sql.join(digests)}) and o.repository_id <> ${id}
      and exists (select 1 from registry_repositories p where p.id = o.repository_id
        and p.organization_id = ${organizationId} and p.mirror = '')`.execute(db);
  return rows.map(({ digest }) => digest);
}
