/** The size of layer caches for reports, remembered for a minute: every question goes to builders and to other servers. */
import type { BuildParts } from "../contract/parts.ts";
import { inPortions } from "./cached-projects.ts";

const REMEMBERED_MS = 60_000;
/** About 100 bytes each. */
const MOST_REMEMBERED = 10_000;

interface LayerBytes {
  /** @returns the sum; a cache whose builder cannot be asked counts with its last known size */
  sum: (projectIds: readonly string[]) => Promise<number>;
  /** The project's caches have changed. */
  forget: (projectId: string) => void;
}

export function createLayerBytes(
  { elapsed, log }: Pick<BuildParts, "elapsed" | "log">,
  read: (projectId: string) => Promise<readonly { bytes: number }[]>,
): LayerBytes {
  const known = new Map<string, { bytes: number; until: number }>();
  const measure = async (projectId: string): Promise<number> => {
    const last = known.get(projectId);
    if (last && elapsed() < last.until) return last.bytes;
    try {
      const bytes = (await read(projectId)).reduce((sum, cache) => sum + cache.bytes, 0);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(projectId, { bytes, until: elapsed() + REMEMBERED_MS });
      return bytes;
    } catch (error) {
      log.warn("Could not read the size of a layer cache for a report.", { project: projectId, error });
      return last?.bytes ?? 0;
    }
  };
  return {
    async sum(projectIds) {
      const sizes = await inPortions(projectIds, measure);
      return sizes.reduce((sum, bytes) => sum + bytes, 0);
    },
    forget: (projectId) => void known.delete(projectId),
  };
}
