/** Which projects of an organization have layer caches, on whichever servers. */
import { askDatabase, type Caller } from "#accounts/index.ts";
import type { BuildParts } from "../contract/parts.ts";
import { findScope } from "../records/list-builds.ts";

/** Projects in one answer; the caches of others are read by their project. */
const MOST_PROJECTS = 500;
/** Each may query other servers, which check twice a second. */
const AT_ONCE = 16;

interface Parts extends Pick<BuildParts, "accounts" | "clock" | "database"> {
  /** Those with a cache on this server's disk. */
  builders: Pick<BuildParts["builders"], "projects">;
}

/** Projects with a cache on this server's disk, and those whose builder has a home. @param only "": all that the caller may see */
export async function findCachedProjects(
  parts: Parts,
  caller: Caller,
  only = "",
): Promise<{ id: string; quotaBytes: number }[]> {
  const { organizationId, projectId } = await findScope(parts, caller, only);
  const { db } = parts.database;
  const [here, homes, projects] = await Promise.all([
    parts.builders.projects(),
    askDatabase(() => db.selectFrom("build_homes").select("project_id").distinct().execute()),
    askDatabase(() =>
      db
        .selectFrom("projects")
        .select(["id", "cache_size_bytes as quotaBytes"])
        .where("organization_id", "=", organizationId)
        .orderBy("id")
        .execute(),
    ),
  ]);
  const cached = new Set([...here, ...homes.map((home) => home.project_id)]);
  return projects
    .filter(({ id }) => cached.has(id) && (projectId === null || id === projectId))
    .slice(0, MOST_PROJECTS);
}

export async function inPortions<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(run))));
  return results;
}
