/**
 * Why a request was a miss, for people who ask later. No request waits for this, and notes above the limit are dropped:
 *
 *   find, countMiss ─► note ─┐
 *   put ────────────► written ├─► every few seconds: rows ─► each new result is compared with the last one of the same work
 *   removal ────────► removed ┘
 */
import { setImmediate } from "node:timers/promises";
import type { Actor } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Grant, MissNote } from "../contract/cache.ts";
import { trustedOf } from "../access/grant.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { commitOf, rememberCommits, type StoredCommit } from "./commits.ts";
import { createExplaining, type WrittenResult } from "./explain.ts";
import { EXPLAINED_AT_ONCE, FLUSH_EVERY_MS, MAX_WAITING, TRIM_EVERY_MS } from "./limits.ts";
import { shortenNote } from "./notes.ts";
import { hasTask } from "./read-task.ts";
import type { RemovalReason } from "../contract/misses.ts";
import { trimNamespaces } from "./trim.ts";
import { type NotedMiss, type RemovedKey, writeMisses, writeRemoved } from "./write-misses.ts";

export interface Misses {
  note(grant: Grant, key: string, isIncomplete: boolean): void;
  /** Describes a noted miss. */
  describe(grant: Grant, key: string, note: MissNote): void;
  written(grant: Grant, key: string): void;
  removed(entries: readonly { namespace_id: string; key: string }[], because: RemovalReason): void;
  flush(): Promise<void>;
  /** Writes everything that waits. */
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
  let commits = new Map<string, StoredCommit>();
  const results: WrittenResult[] = [];
  const write = createMissWriting(options);

  function flush(): Promise<void> {
    const batch = {
      misses: [...noted.values()],
      removed,
      commits: [...commits.values()],
      results: results.splice(0, EXPLAINED_AT_ONCE),
    };
    noted = new Map();
    commits = new Map();
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
      const { times, note } = known ?? { times: 0, note: null };
      const commit = commitOf(grant.actor);
      noted.set(name, { namespaceId, key, isIncomplete, at: clock(), times: times + 1, note, commit });
    },
    describe(grant, key, note) {
      const known = noted.get(trustedOf(grant) + key);
      if (known) known.note = shortenNote(note);
    },
    written(grant, key) {
      const namespaceId = trustedOf(grant);
      const commit = grant.writes === namespaceId && isResult(key) ? commitOf(grant.actor) : null;
      if (commit && commits.size < MAX_WAITING)
        commits.set(JSON.stringify([namespaceId, commit]), { ...commit, namespaceId, key, at: clock() });
      if (!isExplained(key) || grant.writes === null || results.length >= MAX_WAITING) return;
      const scope = scopeOf(grant.actor);
      results.push({ namespaceId, writtenTo: grant.writes, key, scope, at: clock() });
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
  commits: readonly StoredCommit[];
  results: readonly WrittenResult[];
}

function createMissWriting(options: MissesOptions): (batch: Batch) => Promise<void> {
  const { database, clock } = options;
  const explain = createExplaining(options);
  let touched = new Set<string>();
  let trimmedAt = clock();
  return async ({ misses, removed, commits, results }) => {
    for (const { namespaceId } of [...misses, ...removed, ...commits, ...results]) touched.add(namespaceId);
    await writeRemoved(database, removed);
    await writeMisses(database, misses);
    await rememberCommits(database, commits);
    for (const result of results) {
      await explain(result);
      await setImmediate();
    }
    if (Math.abs(clock() - trimmedAt) < TRIM_EVERY_MS) return;
    trimmedAt = clock();
    const trimmed = touched;
    touched = new Set();
    await trimNamespaces(database, trimmed, trimmedAt);
  };
}

/** Keys that a tool asks for first: the rest follows from their results. */
const isResult = (key: string) =>
  !key.startsWith("cas/") && (!key.startsWith("maven/") || key.endsWith("/buildinfo.xml"));

/** The entry contains its task, or its inputs are stored next to it. */
const isExplained = (key: string) => key.startsWith("ac/") || key.endsWith("/buildinfo.xml") || hasTask(key);

const scopeOf = (actor: Actor) =>
  (actor.kind === "job" && actor.projectId) || actor.tokenId || (actor.kind === "user" ? actor.userId : "");
