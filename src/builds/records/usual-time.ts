/** The usual time of such a build: the median of the last successful ones. */
import { COMPARED_BUILDS, usualMs } from "../explain/find-regression.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildRow } from "./read-build.ts";

export async function readUsualTime(
  { database }: Pick<BuildParts, "database">,
  { project_id: projectId, target, id }: BuildRow,
): Promise<number> {
  const rows = await database.db
    .selectFrom("builds")
    .select("duration_ms")
    .where("project_id", "=", projectId)
    .where("target", "=", target)
    .where("state", "=", "succeeded")
    .where("duration_ms", ">=", 0)
    .where("id", "!=", id)
    .orderBy("created_at", "desc")
    .limit(COMPARED_BUILDS)
    .execute();
  return usualMs(rows.map((row) => row.duration_ms)) ?? 0;
}
