/** Reports which images cannot be trusted, when layer caches are found whose files have lost their modes. */
import { type Accounts, noteSpoiledCache } from "#accounts/index.ts";
import type { Log } from "#platform/log/log.ts";
import { MAX_SPOILED_IMAGES } from "../contract/limits.ts";
import type { SpoiledCache } from "../machine/spoiled-caches.ts";
import type { BuildDatabase } from "../tables/schema.ts";
import { noteReset } from "./resets.ts";

export interface SpoiledParts {
  accounts: Accounts;
  database: BuildDatabase;
  log: Log;
  /** The server whose disk has the caches: builds of other servers used other caches. */
  server: string;
}

/** Writes to the log, each project, and its history of layers. After a crash, it may be called with the same caches again. */
export async function noteSpoiled(parts: SpoiledParts, caches: readonly SpoiledCache[]): Promise<void> {
  const projects = Map.groupBy(caches, ({ projectId }) => projectId);
  for (const [projectId, own] of projects) await noteProject(parts, projectId, own);
}

async function noteProject(
  parts: SpoiledParts,
  projectId: string,
  caches: readonly SpoiledCache[],
): Promise<void> {
  const { accounts, database, log } = parts;
  const images = new Set<string>();
  for (const cache of caches) for (const image of await findImages(parts, cache)) images.add(image);
  const found = {
    platforms: caches.map(({ platform }) => platform).toSorted(),
    since: Math.min(...caches.map(({ since }) => since)),
    images: [...images].slice(0, MAX_SPOILED_IMAGES),
    hasMoreImages: images.size > MAX_SPOILED_IMAGES,
  };
  const known = await noteSpoiledCache(accounts, projectId, found);
  // The project was deleted; its images and builds are gone.
  if (!known) return log.warn("The spoiled layer cache of a deleted project is removed", { projectId });
  for (const { platform } of caches)
    await noteReset({ database, clock: accounts.clock }, projectId, platform);
  const { project, noted } = known;
  const since = new Date(noted.since).toISOString();
  log.warn(
    `The layer cache of ${project} was reset, because since ${since} its files had different modes from those that builds gave them: an earlier release changed them at a start, or a chmod -R did. ` +
      "Images that were built with it since then cannot be trusted: build them again.",
    {
      project,
      projectId,
      platforms: noted.platforms,
      images: noted.images,
      hasMoreImages: noted.hasMoreImages,
    },
  );
}

/** Newest first. Includes builds that a killed server did not end: their images may exist. */
async function findImages(
  { database: { db }, server }: SpoiledParts,
  { projectId, platform, since }: SpoiledCache,
): Promise<string[]> {
  const rows = await db
    .selectFrom("builds")
    .select(["id", "image"])
    .where("project_id", "=", projectId)
    .where("holder", "like", `${server}.%`)
    .where("platforms", "like", `% ${platform} %`)
    .where((row) =>
      row.or([
        row("state", "=", "running"),
        row.and([row("state", "=", "succeeded"), row("digest", "<>", ""), row("finished_at", ">=", since)]),
      ]),
    )
    .orderBy("created_at", "desc")
    .limit(MAX_SPOILED_IMAGES + 1)
    .execute();
  return rows.map(({ id, image }) => image || id);
}
