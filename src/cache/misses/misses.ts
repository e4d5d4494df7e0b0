/**
 * Why a request was a miss, for who asks later. Nothing here is waited for, and what is too much is dropped:
 *
 *   find, countMiss ─► note ─┐
 *   put ────────────► written ├─► every few seconds: rows ─► each new result is compared with the last one of the same work
 *   removal ────────► removed ┘
 */
import { setImmediate } from "node:timers/promises";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Grant, MissNote } from "../cache.ts";
import { trustedOf } from "../grant.ts";
import type { CacheDatabase } from "../schema.ts";
import { createExplaining, type WrittenResult } from "./explain.ts";
import { EXPLAINED_AT_ONCE, FLUSH_EVERY_MS, MAX_NOTE_LENGTH, MAX_WAITING, TRIM_EVERY_MS } from "./limits.ts";
import type { RemovalReason } from "./schema.ts";
import { trimNamespaces } from "./trim.ts";
import { type NotedMiss, type RemovedKey, writeMisses, writeRemoved } from "./write-misses.ts";

export interface Misses {
  note(grant: Grant, key: string, isIncomplete: boolean): void;
  /** Of one that was noted. */
  describe(grant: Grant, key: string, note: MissNote): void;
  written(grant: Grant, key: string): void;
  removed(entries: readonly { namespace_id: string; key: string }[], because: RemovalReason): void;
  flush(): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
}

export interface MissesOptions {
  database: CacheDatabase;
  blobs: Blobs;
  clock: () => number;
  onError: (error: unknown) => void;
}

export function createMisses(options: MissesOptions): Misses {
  const { clock, onError } = options;
  let noted = new Map<string, NotedMiss>();
  let removed: RemovedKey[] = [];
  const results: WrittenResult[] = [];
  const write = createMissWriting(options);

  function flush(): Promise<void> {
    const batch = { misses: [...noted.values()], removed, results: results.splice(0, EXPLAINED_AT_ONCE) };
    noted = new Map();
    removed = [];
    return write(batch);
  }

  const job = { name: "cache.misses", everyMs: FLUSH_EVERY_MS, run: flush, onError };
  const flushing = startPeriodicJob(job);
  return {
    note(grant, key, isIncomplete) {
      if (!isResult(key)) return;
      const namespaceId = trustedOf(grant);
      const name = namespaceId + key;
      const known = noted.get(name);
      if (!known && noted.size >= MAX_WAITING) return;
      const times = (known?.times ?? 0) + 1;
      noted.set(name, { namespaceId, key, isIncomplete, at: clock(), times, note: known?.note ?? null });
    },
    describe(grant, key, note) {
      const known = noted.get(trustedOf(grant) + key);
      if (known) known.note = shorten(note);
    },
    written(grant, key) {
      if (!isExplained(key) || grant.writes === null || results.length >= MAX_WAITING) return;
      results.push({ namespaceId: trustedOf(grant), writtenTo: grant.writes, key, at: clock() });
    },
    removed(entries, because) {
      for (const { namespace_id: namespaceId, key } of entries)
        if (isResult(key) && removed.length < MAX_WAITING)
          removed.push({ namespaceId, key, because, at: clock() });
    },
    flush,
    async close() {
      await flushing.stop();
      await flush().catch(onError);
    },
  };
}

interface Batch {
  misses: readonly NotedMiss[];
  removed: readonly RemovedKey[];
  results: readonly WrittenResult[];
}

function createMissWriting(options: MissesOptions): (batch: Batch) => Promise<void> {
  const { database, clock } = options;
  const explain = createExplaining(options);
  let touched = new Set<string>();
  let trimmedAt = clock();
  return async ({ misses, removed, results }) => {
    for (const { namespaceId } of [...misses, ...removed, ...results]) touched.add(namespaceId);
    await writeRemoved(database, removed);
    await writeMisses(database, misses);
    for (const result of results) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await explain(result);
      // oxlint-disable-next-line no-await-in-loop -- everybody else comes first
      await setImmediate();
    }
    if (clock() - trimmedAt < TRIM_EVERY_MS) return;
    trimmedAt = clock();
    const trimmed = touched;
    touched = new Set();
    await trimNamespaces(database, trimmed, trimmedAt);
  };
}

/** What a tool asks for first: the rest follows from it. */
const isResult = (key: string) =>
  !key.startsWith("cas/") && (!key.startsWith("maven/") || key.endsWith("/buildinfo.xml"));

/** What it was made from is kept beside it. */
const isExplained = (key: string) => key.startsWith("ac/") || key.endsWith("/buildinfo.xml");

const shorten = ({ target, mnemonic, invocation }: MissNote): MissNote => ({
  target: clean(target),
  mnemonic: clean(mnemonic),
  invocation: clean(invocation),
});

/** PostgreSQL knows no text with a zero byte, nor half of a surrogate pair. */
const clean = (text: string) => text.slice(0, MAX_NOTE_LENGTH).replaceAll("\0", "").toWellFormed();
