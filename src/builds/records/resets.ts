/** Resets and overflows of a project's layer caches: the reason why layers are missing afterwards. */
import type { CacheHistory } from "../explain/types.ts";
import type { BuildParts } from "../contract/parts.ts";

type Parts = Pick<BuildParts, "database" | "clock">;

/** @param platform "": all platforms */
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

/** @param range creation times of two builds */
export async function readCacheHistory(
  { db }: Parts["database"],
  projectId: string,
  { since, until }: { since: number; until: number },
): Promise<CacheHistory> {
  const resets = await db
    .selectFrom("build_resets")
    .select(["platform", "reset_at as at"])
    .where("project_id", "=", projectId)
    .execute();
  const overflows = await db
    .selectFrom("builds")
    .innerJoin("build_overflows", "build_overflows.build_id", "builds.id")
    .where("builds.project_id", "=", projectId)
    .where("builds.created_at", ">=", since)
    .where("builds.created_at", "<=", until)
    .where("noted_at", "<=", until)
    .select((row) => ["build_overflows.platform", row.fn.max("noted_at").as("at")])
    .groupBy("build_overflows.platform")
    .execute();
  const project = await db
    .selectFrom("projects")
    .select("retention_days")
    .where("id", "=", projectId)
    .executeTakeFirst();
  return { resets, overflows, unusedDays: project?.retention_days ?? Infinity };
}
