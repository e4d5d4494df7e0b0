/** Bytes of images in an organization's quota. */
import { sql } from "kysely";
import type { RegistryDatabase } from "../contract/schema.ts";

/** For an organization, or one of its projects: blobs and manifests, each counted once. Pulled-through content is not included. */
export async function countBytes(
  { db }: RegistryDatabase,
  { organizationId, projectId }: { organizationId: string; projectId?: string | undefined },
): Promise<number> {
  const one = projectId === undefined ? sql`` : sql` and id = ${projectId}`;
  const { rows } = await sql<{ bytes: number }>`
    with mine as (select id from registry_repositories where organization_id = ${organizationId} and mirror = ''${one})
    select coalesce(sum(size), 0) as bytes from (
      select digest, size from registry_blobs where repository_id in (select id from mine)
      union
      select digest, size from registry_manifests where repository_id in (select id from mine)) as named`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}
