/** How long an image is kept, and what keeps it. */
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { GRACE_MS } from "../contract/limits.ts";
import { ATTACHED_ENDINGS } from "../contract/names.ts";

export interface Keeping {
  /** When it was last pushed. */
  pushedAt: number;
  /** A tag that is not the id of a build, and does not say what it belongs to. */
  hasOwnTag: boolean;
  /** The id of a build. */
  hasSavedTag: boolean;
  /** An index names it, or what it belongs to is there: its subject, or the image that its tag names. */
  isNamed: boolean;
}

/** @returns when the ids of builds among its tags are removed; null: never in its current state */
export function tagsExpireAt({ pushedAt, hasOwnTag }: Keeping, retentionMs: number): number | null {
  return hasOwnTag ? null : pushedAt + retentionMs;
}

/** @returns from when on the next sweep removes the image; null: never in its current state */
export function expiresAt(keeping: Keeping, retentionMs: number): number | null {
  const { pushedAt, hasOwnTag, hasSavedTag, isNamed } = keeping;
  if (hasOwnTag || isNamed) return null;
  const untagged = pushedAt + GRACE_MS;
  return hasSavedTag ? Math.max(untagged, pushedAt + retentionMs) : untagged;
}

/** `isSavedBuild` of `names.ts`, for both databases: `ltrim` leaves any other characters. */
export const isSavedBuildIn = (name: Expression<string>): Expression<SqlBool> =>
  sql<SqlBool>`(length(${name}) = 14 and substr(${name}, 1, 4) = 'bld_'
    and ltrim(substr(${name}, 5), '0123456789abcdefghijklmnopqrstuvwxyz') = '')`;

/** `isAttachedTag` of `names.ts`, the same way. @param table the tags, as the query calls them */
export function isAttachedIn(table: string): RawBuilder<SqlBool> {
  const [name, digest] = [sql.ref(`${table}.name`), sql.ref(`${table}.digest`)];
  return sql<SqlBool>`(substr(${name}, 1, 7) = 'sha256-' and length(substr(${name}, 8, 64)) = 64
    and ltrim(substr(${name}, 8, 64), '0123456789abcdef') = ''
    and substr(${name}, 72) in (${sql.join(ATTACHED_ENDINGS.map((ending) => sql.lit(ending)))})
    and 'sha256:' || substr(${name}, 8, 64) <> ${digest})`;
}

/** Whether the image that such a tag names is in its repository. */
export function hasImageIn(table: string): RawBuilder<SqlBool> {
  const [name, repository] = [sql.ref(`${table}.name`), sql.ref(`${table}.repository_id`)];
  return sql<SqlBool>`exists (select 1 from registry_manifests as image
    where image.repository_id = ${repository} and image.digest = 'sha256:' || substr(${name}, 8, 64))`;
}
