/** The first successful build of an organization: a step of its checklist (`/app/:org/first-run`). */
import type { BuildParts } from "../contract/parts.ts";
import { parseLabels } from "./read-build.ts";

/** Characters that fit on one line. */
const MAX_TITLE_LENGTH = 200;

export interface FirstBuild {
  /** When it ended. */
  at: number;
  /** Its title, or its id. */
  text: string;
  id: string;
}

export async function findFirst(
  { database }: Pick<BuildParts, "database">,
  organizationId: string,
): Promise<FirstBuild | null> {
  const row = await database.db
    .selectFrom("builds")
    // Excludes builds of deleted projects.
    .innerJoin("projects", "projects.id", "builds.project_id")
    .select(["builds.id", "builds.labels", "builds.finished_at", "builds.created_at"])
    .where("builds.organization_id", "=", organizationId)
    .where("builds.state", "=", "succeeded")
    .orderBy("builds.created_at")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, finished_at: finishedAt, created_at: createdAt } = row;
  return {
    at: finishedAt ?? createdAt,
    text: parseLabels(row)["title"]?.slice(0, MAX_TITLE_LENGTH) || id,
    id,
  };
}
