/**
 * Information for a project's people after its layer cache was found spoiled and reset: which images cannot be trusted. The
 * project has it until someone dismisses it.
 */
import { z } from "zod";
import type { Accounts } from "../contract/accounts.ts";
import { changeRecords } from "../changes/change-records.ts";
import { SERVER } from "../contract/audit.ts";
import { MAX_SPOILED_IMAGES } from "../contract/limits.ts";

export interface SpoiledCache {
  /** `linux/amd64` */
  platforms: readonly string[];
  /** Images from builds since then cannot be trusted. */
  since: number;
  resetAt: number;
  /** Their names, or the ids of builds, newest first. */
  images: readonly string[];
  /** There are more images than are named. */
  hasMoreImages: boolean;
}

const kept = z.object({
  platforms: z.array(z.string()),
  since: z.number(),
  resetAt: z.number(),
  images: z.array(z.string()),
  hasMoreImages: z.boolean(),
});

/** @param column JSON, as written here */
export const readSpoiledCache = (column: string | null): SpoiledCache | null =>
  column === null ? null : kept.parse(JSON.parse(column));

/**
 * Notes it with the project and in the audit log, once: noting the same again, after a crash, changes nothing.
 * @returns null for a project that no longer exists
 */
export async function noteSpoiledCache(
  accounts: Accounts,
  projectId: string,
  found: Omit<SpoiledCache, "resetAt">,
): Promise<{ project: string; noted: SpoiledCache } | null> {
  return changeRecords(accounts, SERVER, async ({ transaction, audit }) => {
    const row = await transaction
      .selectFrom("projects")
      .select(["name", "organization_id", "spoiled_cache", "revision"])
      .where("id", "=", projectId)
      .executeTakeFirst();
    if (!row) return null;
    const former = readSpoiledCache(row.spoiled_cache);
    const noted = { ...join(former, found), resetAt: accounts.clock() };
    const isKnown = former && JSON.stringify({ ...noted, resetAt: former.resetAt }) === row.spoiled_cache;
    if (isKnown) return { project: row.name, noted: former };
    await transaction
      .updateTable("projects")
      .set({ spoiled_cache: JSON.stringify(noted), revision: row.revision + 1 })
      .where("id", "=", projectId)
      .execute();
    await audit({
      action: "project.spoiled",
      organizationId: row.organization_id,
      target: row.name,
      targetId: projectId,
      details: {
        platforms: found.platforms.join(" "),
        since: new Date(found.since).toISOString(),
        images: `${found.images.join(" ")}${found.hasMoreImages ? " and more" : ""}`,
      },
    });
    return { project: row.name, noted };
  });
}

/** In the order of the written fields. */
function join(former: SpoiledCache | null, found: Omit<SpoiledCache, "resetAt">): SpoiledCache {
  const all = [...new Set([...found.images, ...(former?.images ?? [])])];
  return {
    platforms: [...new Set([...(former?.platforms ?? []), ...found.platforms])].toSorted(),
    since: Math.min(found.since, former?.since ?? Infinity),
    resetAt: 0,
    images: all.slice(0, MAX_SPOILED_IMAGES),
    hasMoreImages: found.hasMoreImages || (former?.hasMoreImages ?? false) || all.length > MAX_SPOILED_IMAGES,
  };
}
