/** The repositories of an organization's projects. */
import { sql } from "kysely";
import {
  type Actor,
  askDatabase,
  authorize,
  type Page,
  type PageInput,
  readPage,
  Refused,
  toPage,
} from "#accounts/index.ts";
import type { RepositorySummary } from "../contract/images.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { isAttachedIn, isSavedBuildIn } from "../sweep/retention.ts";

interface RepositoryRow {
  id: string;
  name: string;
  tags: number;
  saved_builds: number;
  stored_bytes: number;
  image_bytes: number;
  pushed_at: number;
}

export async function listRepositories(
  { database }: RegistryParts,
  actor: Actor,
  input: PageInput,
): Promise<Page<RepositorySummary>> {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const refused = authorize(actor, "project.list", {
    name: `organization ${organizationId}`,
    organizationId,
  });
  if (refused) throw refused;
  const page = readPage(input, "text");
  const after =
    page.after === null ? sql`` : sql` and (p.name, p.id) > (${page.after.sort}, ${page.after.id})`;
  const { rows } = await askDatabase(() =>
    sql<RepositoryRow>`
      with shown as (
        select p.id, p.name from projects p where p.organization_id = ${organizationId}${after}
          and exists (select 1 from registry_manifests m where m.repository_id = p.id)
        order by p.name, p.id limit ${page.limit})
      select shown.id, shown.name,
        (select count(*) from registry_tags t where t.repository_id = shown.id and not ${isAttachedIn("t")}) as tags,
        (select count(*) from registry_tags t where t.repository_id = shown.id and ${isSavedBuildIn(sql.ref("t.name"))}) as saved_builds,
        (select coalesce(sum(b.size), 0) from registry_blobs b where b.repository_id = shown.id)
          + (select coalesce(sum(m.size), 0) from registry_manifests m where m.repository_id = shown.id) as stored_bytes,
        (select coalesce(sum(m.image_bytes), 0) from registry_manifests m where m.repository_id = shown.id
          and m.digest in (select t.digest from registry_tags t where t.repository_id = shown.id
            and not ${isAttachedIn("t")})) as image_bytes,
        (select max(m.pushed_at) from registry_manifests m where m.repository_id = shown.id) as pushed_at
      from shown order by shown.name, shown.id`.execute(database.db),
  );
  return toPage(rows, page, { keyOf: ({ name, id }) => ({ sort: name, id }), itemOf: toSummary });
}

const toSummary = (row: RepositoryRow): RepositorySummary => ({
  projectId: row.id,
  name: row.name,
  tags: Number(row.tags),
  savedBuilds: Number(row.saved_builds),
  storedBytes: Number(row.stored_bytes),
  imageBytes: Number(row.image_bytes),
  pushedAt: Number(row.pushed_at),
});
