/**
 * Notes layer caches that exceed their limit when a build has ended: a second later, `buildkitd` silently removes the least
 * recently used layers. With the note, a step whose layer is gone can say why.
 */
import type { BuilderWant } from "../machine/machine.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildRow } from "../records/read-build.ts";

type Parts = Pick<BuildParts, "database" | "builders" | "clock" | "log">;

export interface Overflows {
  /** Runs in the background: sizes of new layers are computed first. */
  look: (row: Pick<BuildRow, "id" | "project_id">, want: Pick<BuilderWant, "cacheBytes">) => void;
  /** Resolves when all notes are written. */
  close: () => Promise<void>;
}

export function createOverflows(parts: Parts): Overflows {
  const looking = new Set<Promise<void>>();
  return {
    look(row, want) {
      const noted = note(parts, row, want.cacheBytes)
        .catch((error: unknown) =>
          parts.log.debug("Could not record the size of a layer cache after a build", {
            build: row.id,
            error,
          }),
        )
        .finally(() => looking.delete(noted));
      looking.add(noted);
    },
    close: async () => void (await Promise.all(looking)),
  };
}

async function note(
  { database, builders, clock }: Parts,
  { id, project_id: projectId }: Pick<BuildRow, "id" | "project_id">,
  cacheBytes: number,
): Promise<void> {
  const caches = await builders.usage(projectId);
  const full = caches.filter(({ bytes }) => bytes > cacheBytes);
  const rows = full.map(({ platform }) => ({ build_id: id, platform, noted_at: clock() }));
  if (rows.length === 0) return;
  await database.db
    .insertInto("build_overflows")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
