/** Pulls of manifests, counted in memory and written together every few seconds. */
import { inTransaction } from "#platform/database/database.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import { outsideRequests } from "#platform/log/request-context.ts";
import { MAX_BUFFERED_PULLS, PULLS_EVERY_MS } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Manifests } from "../contract/registry.ts";

interface Counted {
  repositoryId: string;
  digest: string;
  pulls: number;
  pulledAt: number;
  puller: string;
}

/** Rows of one transaction: other requests have their turn between two transactions. */
const WRITTEN_AT_ONCE = 100;

export interface PullBuffer {
  count: Manifests["countPull"];
  /** Writes the pulls that were counted until now; those that could not be written are kept. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createPullBuffer({ database, clock, log }: RegistryParts): PullBuffer {
  const counted = new Map<string, Counted>();
  let isEarly = false;

  function add(pull: Counted): void {
    const key = `${pull.repositoryId} ${pull.digest}`;
    const known = counted.get(key);
    if (!known) counted.set(key, pull);
    else {
      known.pulls += pull.pulls;
      if (pull.pulledAt >= known.pulledAt)
        Object.assign(known, { pulledAt: pull.pulledAt, puller: pull.puller });
    }
  }

  async function flush(): Promise<void> {
    // The same order everywhere, so that two processes do not wait for each other.
    const taken = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pull]) => pull);
    counted.clear();
    while (taken.length > 0) {
      const chunk = taken.slice(0, WRITTEN_AT_ONCE);
      try {
        await writePulls(database, chunk);
      } catch (error) {
        taken.forEach(add);
        throw error;
      }
      taken.splice(0, WRITTEN_AT_ONCE);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const onError = (error: unknown) => log.warn("Could not write some pulls of images.", { error });
  const job = startPeriodicJob({ name: "registry.pulls", everyMs: PULLS_EVERY_MS, run: flush, onError });
  return {
    count({ repository, actor }, { digest }) {
      add({ repositoryId: repository.id, digest, pulls: 1, pulledAt: clock(), puller: actor.name });
      if (counted.size < MAX_BUFFERED_PULLS || isEarly) return;
      isEarly = true;
      void outsideRequests(flush)
        .catch(onError)
        .finally(() => (isEarly = false));
    },
    flush,
    async close() {
      await job.stop();
      await flush().catch(onError);
    },
  };
}

/** A pull of a manifest that was deleted meanwhile is not counted. */
async function writePulls(database: RegistryParts["database"], pulls: readonly Counted[]): Promise<void> {
  await inTransaction(
    database,
    async (transaction) => {
      for (const pull of pulls)
        await transaction
          .updateTable("registry_manifests")
          .set((column) => ({
            pulls: column("pulls", "+", pull.pulls),
            pulled_at: pull.pulledAt,
            puller: pull.puller,
          }))
          .where("repository_id", "=", pull.repositoryId)
          .where("digest", "=", pull.digest)
          .execute();
    },
    "read committed",
  );
}
