/**
 * The size of layer caches for reports, remembered for a minute: every question goes to builders and to other servers. A report
 * does not wait for all answers:
 *
 *   report ──► measures what is older than a minute ──► at most `REPORT_WAIT_MS` later: the sum of what is known
 *                    └─────► continues for the next report
 */
import { outsideRequests } from "#platform/log/request-context.ts";
import { REPORT_WAIT_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { inPortions } from "./cached-projects.ts";

const REMEMBERED_MS = 60_000;
/** About 100 bytes each. */
const MOST_REMEMBERED = 10_000;

interface LayerBytes {
  /** @returns the sum of the last known sizes; 0 for those that have never been read. At most 500 projects. */
  sum: (projectIds: readonly string[]) => Promise<number>;
  /** The project's caches have changed. */
  forget: (projectId: string) => void;
  /** Nothing more is read. */
  stop: () => void;
}

export function createLayerBytes(
  { elapsed, log }: Pick<BuildParts, "elapsed" | "log">,
  read: (projectId: string) => Promise<readonly { bytes: number }[]>,
): LayerBytes {
  const known = new Map<string, { bytes: number; until: number }>();
  let isStopped = false;
  const remember = (projectId: string, bytes: number) => {
    known.delete(projectId);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MOST_REMEMBERED) known.delete(oldest);
    known.set(projectId, { bytes, until: elapsed() + REMEMBERED_MS });
  };
  const measure = async (projectId: string): Promise<void> => {
    const last = known.get(projectId);
    if (isStopped || (last && elapsed() < last.until)) return;
    try {
      remember(
        projectId,
        (await read(projectId)).reduce((sum, cache) => sum + cache.bytes, 0),
      );
    } catch (error) {
      if (isStopped) return;
      log.warn("Could not read the size of a layer cache for a report.", { project: projectId, error });
      remember(projectId, last?.bytes ?? 0);
    }
  };
  return {
    async sum(projectIds) {
      await waitShortly(outsideRequests(() => inPortions(projectIds, measure)));
      return projectIds.reduce((sum, id) => sum + (known.get(id)?.bytes ?? 0), 0);
    },
    forget: (projectId) => void known.delete(projectId),
    stop: () => void (isStopped = true),
  };
}

async function waitShortly(work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REPORT_WAIT_MS);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
