/**
 * Which manifests are images: those with a tag from a person or a build, and untagged ones that nothing else names. The parts
 * of an index, referrers, and the signatures that cosign tags `sha256-….sig` are not listed.
 */
import { type RawBuilder, sql } from "kysely";
import { type Page, type PageInput, type PageRequest, readPage, toPage } from "#accounts/index.ts";
import { findOwnLayers } from "./own.ts";
import { MAX_TAGS_IN_LIST, MAX_TAGS_OF_IMAGE } from "../contract/limits.ts";
import type { Image, ImageQuery } from "../contract/images.ts";
import { isAttachedTag, isSavedBuild } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { expiresAt, isAttachedIn, isSavedBuildIn } from "../sweep/retention.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

type Db = RegistryDatabase["db"];

/** A manifest as lists need it; PostgreSQL's driver returns numbers as numbers (`platform/database`). */
interface ImageRow {
  digest: string;
  media_type: string;
  image_bytes: number;
  platforms: string;
  pushed_at: number;
  pusher: string;
  pulls: number;
  pulled_at: number | null;
  puller: string;
}

export async function listImages(
  parts: RegistryParts,
  repositoryId: string,
  { query = "", withoutSavedBuilds = false, ...input }: ImageQuery & PageInput,
): Promise<Page<Image>> {
  const page = readPage(input, "number");
  const { db } = parts.database;
  const conditions = [
    isListed(withoutSavedBuilds),
    ...(query === "" ? [] : [begins(repositoryId, query)]),
    ...(page.after === null
      ? []
      : [sql<boolean>`(m.pushed_at, m.digest) < (${page.after.sort}, ${page.after.id})`]),
  ];
  const rows = await selectImages(db, repositoryId, { conditions, limit: page.limit });
  const images = await describe(parts, repositoryId, rows.slice(0, page.size), MAX_TAGS_IN_LIST);
  return toImagePage(rows, page, images);
}

function toImagePage(
  rows: readonly ImageRow[],
  page: PageRequest<number>,
  images: readonly Image[],
): Page<Image> {
  const byDigest = new Map(images.map((image) => [image.digest, image]));
  return toPage(rows, page, {
    keyOf: ({ pushed_at, digest }) => ({ sort: pushed_at, id: digest }),
    itemOf: ({ digest }) => byDigest.get(digest)!,
  });
}

/** One image, whether it is listed or not. */
export async function findImage(
  parts: RegistryParts,
  repositoryId: string,
  digest: string,
): Promise<Image | undefined> {
  const conditions = [sql<boolean>`m.digest = ${digest}`];
  const rows = await selectImages(parts.database.db, repositoryId, { conditions, limit: 1 });
  const [image] = await describe(parts, repositoryId, rows, MAX_TAGS_OF_IMAGE);
  return image;
}

async function selectImages(
  db: Db,
  repositoryId: string,
  { conditions, limit }: { conditions: readonly RawBuilder<boolean>[]; limit: number },
): Promise<ImageRow[]> {
  const { rows } = await sql<ImageRow>`
    select digest, media_type, image_bytes, platforms, pushed_at, pusher, pulls, pulled_at, puller
    from registry_manifests m
    where m.repository_id = ${repositoryId} and ${sql.join(conditions, sql` and `)}
    order by m.pushed_at desc, m.digest desc
    limit ${limit}`.execute(db);
  return rows;
}

function isListed(withoutSavedBuilds: boolean): RawBuilder<boolean> {
  const own = withoutSavedBuilds ? sql` and not ${isSavedBuildIn(sql.ref("t.name"))}` : sql``;
  const isTagged = sql<boolean>`exists (select 1 from registry_tags t
    where t.repository_id = m.repository_id and t.digest = m.digest and not ${isAttachedIn("t")}${own})`;
  if (withoutSavedBuilds) return isTagged;
  return sql`(${isTagged} or (m.subject = ''
    and not exists (select 1 from registry_tags t where t.repository_id = m.repository_id and t.digest = m.digest)
    and not exists (select 1 from registry_references r
      where r.repository_id = m.repository_id and r.digest = m.digest and r.kind = 'manifest')))`;
}

/** The start of a tag, a digest or a commit. */
const SEARCHABLE = /^[\x21-\x7E]{1,200}$/;

/** Each of the three conditions is the range of an index, or a column of the current row. */
function begins(repositoryId: string, query: string): RawBuilder<boolean> {
  if (!SEARCHABLE.test(query)) return sql`1 = 0`;
  // Above every character of tags and digests.
  const range = (column: string, from: string) =>
    sql<boolean>`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${`${from}~`})`;
  const digest = query.includes(":") ? query : `sha256:${query}`;
  return sql`(m.digest in (select q.digest from registry_tags q where q.repository_id = ${repositoryId}
    and ${range("q.name", query)}) or ${range("m.digest", digest)} or ${range("m.commit_sha", query.toLowerCase())})`;
}

async function describe(
  { database, retentionMs }: RegistryParts,
  repositoryId: string,
  rows: readonly ImageRow[],
  mostTags: number,
): Promise<Image[]> {
  if (rows.length === 0) return [];
  const digests = rows.map(({ digest }) => digest);
  const [tags, own] = await Promise.all([
    readTags(database.db, { repositoryId, digests, mostTags }),
    findOwnLayers(database.db, repositoryId, digests),
  ]);
  return rows.map((row) => {
    const names = (tags.get(row.digest) ?? []).filter((name) => !isAttachedTag(name, row.digest));
    return {
      digest: row.digest,
      mediaType: row.media_type,
      tags: names,
      platforms: row.platforms === "" ? [] : row.platforms.split(" "),
      sizeBytes: row.image_bytes,
      ownBytes: [...(own.get(row.digest)?.values() ?? [])].reduce((sum, size) => sum + size, 0),
      buildId: names.find(isSavedBuild) ?? "",
      createdAt: row.pushed_at,
      expiresAt: expiresAt(keepingOf(row, names), retentionMs),
      pushedBy: row.pusher,
      pulls: row.pulls,
      pulledAt: row.pulled_at,
      pulledBy: row.puller,
    };
  });
}

const keepingOf = ({ pushed_at: pushedAt }: ImageRow, tags: readonly string[]) => ({
  pushedAt,
  hasOwnTag: !tags.every(isSavedBuild),
  hasSavedTag: tags.some(isSavedBuild),
  isNamed: false,
});

async function readTags(
  db: Db,
  { repositoryId, digests, mostTags }: { repositoryId: string; digests: readonly string[]; mostTags: number },
): Promise<Map<string, string[]>> {
  // One part per digest, so that the index is read and not all of the repository's tags.
  const parts = digests.map(
    (digest) => sql`select * from (select digest, name from registry_tags
      where repository_id = ${repositoryId} and digest = ${digest} order by name limit ${mostTags}) as part`,
  );
  const { rows } = await sql<{ digest: string; name: string }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  );
  const tags = new Map<string, string[]>();
  for (const { digest, name } of rows) {
    const known = tags.get(digest);
    if (known) known.push(name);
    else tags.set(digest, [name]);
  }
  return tags;
}
