import { askDatabase } from "#accounts/index.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuilderWant } from "../machine/machine.ts";
import type { BuildRow } from "../records/read-build.ts";

/** The builder's size and limits from the project's current settings. */
export async function readWant(
  { database }: Pick<BuildParts, "database">,
  row: BuildRow,
): Promise<Omit<BuilderWant, "platform">> {
  const project = await askDatabase(() =>
    database.db
      .selectFrom("projects")
      .select(["builder_size", "cache_size_bytes", "retention_days"])
      .where("id", "=", row.project_id)
      .executeTakeFirstOrThrow(),
  );
  return {
    organizationId: row.organization_id,
    projectId: row.project_id,
    cpus: project.builder_size,
    cacheBytes: project.cache_size_bytes,
    cacheDays: project.retention_days,
  };
}
