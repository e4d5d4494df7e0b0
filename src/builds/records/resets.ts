/** When the layer cache of a project was reset last: layers that are missing afterwards are missing for that. */
import type { CacheHistory } from "../explain/types.ts";
import type { BuildParts } from "../parts.ts";

type Parts = Pick<BuildParts, "database" | "clock">;

/** @param platform "": all of them */
export async function noteReset(
  { database, clock }: Parts,
  projectId: string,
  platform: string,
): Promise<void> {
  const row = { project_id: projectId, platform, reset_at: clock() };
  await database.db
    .insertInto("build_resets")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["project_id", "platform"]).doUpdateSet({ reset_at: row.reset_at }),
    )
    .execute();
}

export async function readCacheHistory({ db }: Parts["database"], projectId: string): Promise<CacheHistory> {
  const rows = await db
    .selectFrom("build_resets")
    .select(["platform", "reset_at as at"])
    .where("project_id", "=", projectId)
    .execute();
  const project = await db
    .selectFrom("projects")
    .select("retention_days")
    .where("id", "=", projectId)
    .executeTakeFirst();
  return { resets: rows, unusedDays: project?.retention_days ?? Infinity };
}
