import type { Accounts } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { Log } from "#platform/log/log.ts";
import type { Cache } from "./contract/cache.ts";
import { addUpChanges } from "./records/changes.ts";
import { createEviction } from "./eviction/evict.ts";
import { grantAccess } from "./access/grant.ts";
import { DEFAULT_QUOTA_BYTES, DEFAULT_RETENTION_MS, REMEMBERED_MS } from "./contract/limits.ts";
import { listMisses } from "./misses/list-misses.ts";
import { createMisses } from "./misses/misses.ts";
import { createNamespaces } from "./records/namespaces.ts";
import { purgeWriter } from "./eviction/purge.ts";
import { createReading } from "./entries/reading.ts";
import { createRemembered } from "./entries/remembered.ts";
import { createRemoval } from "./entries/remove-entries.ts";
import { resetTool } from "./eviction/reset.ts";
import type { CacheDatabase } from "./records/schema.ts";
import { countBytes, readUsage } from "./figures/usage.ts";
import { createUses } from "./figures/uses.ts";
import { listLargeEntries } from "./entries/list-entries.ts";
import { createAccessLog } from "./simulate/access-log.ts";
import { createSimulating } from "./simulate/simulate.ts";
import { findWriter, listWriters } from "./entries/list-writers.ts";
import { createWriting } from "./entries/writing.ts";

export interface CacheOptions {
  accounts: Accounts;
  database: CacheDatabase;
  blobs: Blobs;
  log: Log;
  /** For one namespace and its overlays. */
  quotaBytes?: number;
  retentionMs?: number;
  clock?: () => number;
}

/** A cache whose background work a test can run immediately. */
export interface RunningCache extends Cache {
  /** Writes uses, then removes entries that are too old or above the quota. */
  sweep(): Promise<void>;
  /** Writes misses, and compares them with earlier results. */
  flushMisses(): Promise<void>;
}

export function createCache(options: CacheOptions): RunningCache {
  const { accounts, database, blobs, log, clock = Date.now } = options;
  const { quotaBytes = DEFAULT_QUOTA_BYTES, retentionMs = DEFAULT_RETENTION_MS } = options;
  const findNamespace = createNamespaces(database, clock);
  const remembered = createRemembered(clock, database.kind === "sqlite" ? null : REMEMBERED_MS);
  blobs.onDamaged(remembered.forgetDigest);
  const uses = createUses({
    database,
    clock,
    onError: (error) => log.warn("Could not count some uses of the cache.", { error }),
  });
  const misses = createMisses({
    database,
    blobs,
    clock,
    onError: (error) => log.warn("Could not explain some misses of the cache.", { error }),
  });
  const accesses = createAccessLog({
    database,
    clock,
    onError: (error) => log.warn("Could not write the cache's access log.", { error }),
  });
  const removal = createRemoval({ database, blobs, remembered, onRemoved: misses.removed, clock });
  const eviction = createEviction({ database, removal, clock, log, quotaBytes, retentionMs });
  const shared = { database, clock, uses, remembered, misses, accesses };
  const removing = { accounts, database, clock, removal };
  const addUp = () => addUpChanges(database, clock());
  const flush = async () => {
    await uses.flush();
    await addUp();
  };
  return {
    accounts,
    blobs,
    grant: (actor, tool, right) => grantAccess(actor, { tool, right }, findNamespace),
    ...createReading(shared),
    ...createWriting({ ...shared, blobs, quotaBytes, onWritten: eviction.wake }),
    reset: (actor, tool, address = "") => resetTool(removing, { actor, address }, tool),
    purge: (actor, of, address = "") => purgeWriter(removing, { actor, address }, of),
    usage: (actor, question) => readUsage({ database, clock, quotaBytes, flush }, actor, question),
    countBytes: ({ organizationId }) => addUp().then(() => countBytes(database, organizationId)),
    listLargeEntries: (actor, tool) => listLargeEntries(database, actor, tool),
    listWriters: (actor, tool) => addUp().then(() => listWriters(database, actor, tool)),
    whoWrote: (grant, key) => findWriter(database, grant, key),
    listMisses: (actor, question) => listMisses(database, actor, question),
    simulate: createSimulating({ database, clock, quotaBytes, flush: accesses.flush }),
    flushMisses: misses.flush,
    async sweep() {
      await uses.flush();
      await eviction.sweep();
    },
    async close() {
      await eviction.stop();
      await uses.close();
      await misses.close();
      await accesses.close();
    },
  };
}
