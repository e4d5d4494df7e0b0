/** Blobs and the build cache, as the environment says. */
import type { Accounts } from "#accounts/index.ts";
import { type Cache, createCache } from "#cache/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "./environment.ts";
import type { RecordDatabase } from "./database/record-tables.ts";
import { openBlobStore } from "./open-blob-store.ts";

/** For the process that has `DATA_DIR`. @throws UserError when blobs cannot be kept */
export async function openCache(
  env: Environment,
  { accounts, database, log }: { accounts: Accounts; database: RecordDatabase; log: Log },
): Promise<Cache> {
  const store = await openBlobStore(env);
  const collector = startCollector({ database, store, log });
  const blobs = createBlobs({ database, store, onDropped: collector.wake });
  const cache = createCache({
    accounts,
    database,
    blobs,
    log,
    quotaBytes: env.MILLRACE_CACHE_QUOTA,
    retentionMs: env.MILLRACE_CACHE_RETENTION,
  });
  return {
    ...cache,
    async close() {
      await cache.close();
      await collector.stop();
      await store.close();
    },
  };
}
