import { type Accounts, type Actor, authorize, Refused } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { createWriteBatch } from "#platform/database/write-batch.ts";
import type { Log } from "#platform/log/log.ts";
import type { Cache, Grant } from "./cache.ts";
import { findEntry, findKeys, writeEntry } from "./entries.ts";
import { grantAccess } from "./grant.ts";
import { DEFAULT_QUOTA_BYTES, DEFAULT_RETENTION_MS, MAX_ENTRY_BYTES } from "./limits.ts";
import { createNamespaces } from "./namespaces.ts";
import type { CacheDatabase } from "./schema.ts";
import { createUses } from "./uses.ts";
import { createWriters } from "./writers.ts";

export interface CacheOptions {
  accounts: Accounts;
  database: CacheDatabase;
  blobs: Blobs;
  log: Log;
  /** Of one namespace. */
  quotaBytes?: number;
  retentionMs?: number;
  clock?: () => number;
}

export function createCache(options: CacheOptions): Cache {
  const { accounts, database, blobs, log, clock = Date.now } = options;
  const { quotaBytes = DEFAULT_QUOTA_BYTES, retentionMs: _ = DEFAULT_RETENTION_MS } = options;
  const batch = createWriteBatch(database);
  const findNamespace = createNamespaces(database, clock);
  const writerOf = createWriters(database, clock);
  const uses = createUses({
    database,
    clock,
    onError: (error) => log.warn("Not all uses of the cache could be counted.", { error }),
  });
  const maxBytes = Math.min(MAX_ENTRY_BYTES, quotaBytes);
  const overlayOf = (actor: Actor) =>
    Promise.resolve(actor.kind === "job" ? (actor.projectId ?? actor.organizationId) : "");
  const trustedOf = ({ reads }: Grant) => reads.at(-1) ?? "";
  const findIn = async ({ reads }: Grant, key: string, hits: 0 | 1) => {
    for (const namespaceId of reads) {
      // oxlint-disable-next-line no-await-in-loop -- one answers for the next
      const entry = await findEntry(database, namespaceId, key);
      if (!entry) continue;
      uses.touch(namespaceId, key, entry.usedAt);
      uses.count(namespaceId, { hits, readBytes: entry.blob.size });
      return entry;
    }
    return undefined;
  };
  return {
    accounts,
    blobs,
    grant: (actor, tool, right) => grantAccess(actor, { tool, right }, { findNamespace, overlayOf }),
    async find(grant, key) {
      const entry = await findIn(grant, key, 1);
      if (!entry) uses.count(trustedOf(grant), { misses: 1 });
      return entry;
    },
    findPart: (grant, key) => findIn(grant, key, 0),
    async findMany(grant, keys) {
      const sizes = new Map<string, number>();
      for (const namespaceId of grant.reads) {
        const missing = keys.filter((key) => !sizes.has(key));
        // oxlint-disable-next-line no-await-in-loop -- one answers for the next
        for (const [key, { size, usedAt }] of await findKeys(database, namespaceId, missing)) {
          sizes.set(key, size);
          uses.touch(namespaceId, key, usedAt);
        }
      }
      return sizes;
    },
    countMiss: (grant) => uses.count(trustedOf(grant), { hits: -1, misses: 1 }),
    receive(_grant, { size = 0, encoding = "identity" } = {}) {
      if (size > maxBytes)
        throw new UploadError("too large", `an entry has at most ${maxBytes} bytes, this one ${size}`);
      return blobs.receive({ maxBytes, encoding });
    },
    async put(grant, key, received, meta = "") {
      const { writes: namespaceId, actor } = grant;
      if (namespaceId === null)
        throw new Refused("permission_denied", "this token may only read from the cache");
      const writerId = await writerOf(actor);
      const entry = { namespaceId, key, meta, writerId, now: clock() };
      try {
        await batch.run((transaction) => writeEntry(transaction, blobs, { entry, received }));
      } finally {
        await blobs.settle(received);
      }
      uses.count(namespaceId, { writtenBytes: received.size });
    },
    async reset(actor, tool) {
      const { organizationId } = actor;
      const resource = { name: `the cache of ${tool}`, organizationId };
      const refused = authorize(actor, "cache.reset", resource);
      if (refused) throw refused;
      throw new Error("not built yet");
    },
    close: () => uses.close(),
  };
}
