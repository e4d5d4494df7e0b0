/** Logs which entries were requested, to show what more space would give. No request waits for it. */
import { randomBytes } from "node:crypto";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { FLUSH_EVERY_MS, KEPT_MS, MAX_RECORDS, MAX_WAITING } from "./limits.ts";
import { type AccessKind, RECORD_BYTES, sampleKey, writeRecord } from "./records.ts";

export interface AccessLog {
  /** @param bytes of the entry; 0 for a miss */
  add(namespaceId: string, key: string, access: { kind: AccessKind; bytes: number }): void;
  flush(): Promise<void>;
  /** Writes everything that waits. */
  close(): Promise<void>;
}

interface AccessLogOptions {
  database: Pick<CacheDatabase, "db">;
  clock: () => number;
  onError: (error: unknown) => void;
}

interface Waiting {
  data: Buffer;
  records: number;
  requests: number;
}

const FIRST_RECORDS = 64;

export function createAccessLog({ database, clock, onError }: AccessLogOptions): AccessLog {
  let waiting = new Map<string, Waiting>();
  let count = 0;

  async function flush(): Promise<void> {
    const namespaces = waiting;
    waiting = new Map();
    count = 0;
    for (const [namespaceId, { data, records, requests }] of namespaces) {
      const row = {
        namespace_id: namespaceId,
        at: clock(),
        part: randomBytes(8).toString("hex"),
        requests,
        records,
        data: data.subarray(0, records * RECORD_BYTES),
      };
      await database.db.insertInto("cache_accesses").values(row).execute();
      await trim(database, namespaceId, clock());
    }
  }

  const job = { name: "cache.accesses", everyMs: FLUSH_EVERY_MS, run: flush, onError };
  const flushing = startPeriodicJob(job);
  return {
    add(namespaceId, key, { kind, bytes }) {
      const hash = sampleKey(key);
      let log = waiting.get(namespaceId);
      if (!log) {
        log = { data: Buffer.alloc(FIRST_RECORDS * RECORD_BYTES), records: 0, requests: 0 };
        waiting.set(namespaceId, log);
      }
      if (kind !== "use") log.requests += 1;
      if (hash === null || count >= MAX_WAITING) return;
      const end = log.records * RECORD_BYTES;
      if (end === log.data.length) log.data = Buffer.concat([log.data, Buffer.alloc(end)]);
      writeRecord(log.data, end, { key: hash, kind, bytes });
      log.records += 1;
      count += 1;
    },
    flush,
    async close() {
      await flushing.stop();
      await flush().catch(onError);
    },
  };
}

/** Keeps records that are neither too old nor too many. */
async function trim({ db }: Pick<CacheDatabase, "db">, namespaceId: string, now: number): Promise<void> {
  await db
    .deleteFrom("cache_accesses")
    .where("namespace_id", "=", namespaceId)
    .where("at", "<", now - KEPT_MS)
    .execute();
  const { records } = await db
    .selectFrom("cache_accesses")
    .select((column) => column.fn.sum<number | string | null>("records").as("records"))
    .where("namespace_id", "=", namespaceId)
    .executeTakeFirstOrThrow();
  let surplus = Number(records ?? 0) - MAX_RECORDS;
  if (surplus <= 0) return;
  const oldest = db
    .selectFrom("cache_accesses")
    .select(["at", "records"])
    .where("namespace_id", "=", namespaceId);
  for (const row of await oldest.orderBy("at").limit(TRIMMED_ROWS).execute()) {
    await db
      .deleteFrom("cache_accesses")
      .where("namespace_id", "=", namespaceId)
      .where("at", "<=", row.at)
      .execute();
    surplus -= row.records;
    if (surplus <= 0) return;
  }
}

/** One minute's additions are removed within one minute. */
const TRIMMED_ROWS = 100;

/** For a namespace that no longer exists. */
export async function forgetAccesses({ db }: Pick<CacheDatabase, "db">, namespaceId: string): Promise<void> {
  await db.deleteFrom("cache_accesses").where("namespace_id", "=", namespaceId).execute();
}
