/** Uses of tokens and browsers and counts of calls, written together every few seconds. */
import { inTransaction } from "#platform/database/database.ts";
import { DAY_MS, MAX_ADDRESS_LENGTH, MAX_FLUSHED_AT_ONCE } from "../contract/limits.ts";
import type { UseBuffer } from "../contract/identities.ts";
import { addUsage, type Counted } from "./add-usage.ts";
import type { AccountDatabase } from "../records/schema.ts";
import { writeTokenUses } from "./write-token-uses.ts";
import { deleteOldExchanges } from "../trust/delete-old-exchanges.ts";

/** @param onFirstUses notifies readers of the event stream that tokens were used for the first time */
export function createUseBuffer(
  database: AccountDatabase,
  clock: () => number,
  onFirstUses: () => void = () => {},
): UseBuffer {
  /** Token → address. */
  const tokens = new Map<string, string | null>();
  const signIns = new Set<string>();
  const users = new Set<string>();
  const counts = new Map<string, Counted>();
  /** Projects that may have more exchanges than the limit. */
  const exchanging = new Set<string>();

  function add(counted: Counted): void {
    const { organizationId, projectId, kind, day } = counted;
    const key = `${organizationId} ${projectId} ${kind} ${day}`;
    const former = counts.get(key);
    if (former) former.count += counted.count;
    else counts.set(key, counted);
  }
  const today = () => Math.floor(clock() / DAY_MS);
  async function writeUses(): Promise<void> {
    const now = clock();
    const { db } = database;
    for (const chunk of chunksOf(takeAll(tokens)))
      await writeTokenUses(database, chunk, { now, onFirstUses });
    for (const ids of chunksOf(takeAll(signIns)))
      await db.updateTable("sign_ins").set({ last_used_at: now }).where("id", "in", ids).execute();
    for (const ids of chunksOf(takeAll(users)))
      await db.updateTable("users").set({ last_seen_at: now }).where("id", "in", ids).execute();
    for (const projectId of takeAll(exchanging)) await deleteOldExchanges(database, projectId);
  }

  async function writeCounts(): Promise<void> {
    if (counts.size === 0) return;
    const counted = [...counts.values()];
    counts.clear();
    try {
      await addCounts(database, counted);
    } catch (error) {
      counted.forEach(add);
      throw error;
    }
  }

  return {
    touch({ tokenId, signInId, userId }, address) {
      if (tokenId) tokens.set(tokenId, address?.slice(0, MAX_ADDRESS_LENGTH) ?? null);
      if (signInId) signIns.add(signInId);
      if (userId) users.add(userId);
    },
    countCall: (organizationId) =>
      add({ organizationId, projectId: "", kind: "api_calls", day: today(), count: 1 }),
    countJob({ isRefused, ...job }) {
      const kind = isRefused ? "refused_jobs" : "job_tokens";
      for (const projectId of [job.projectId, ""])
        add({ organizationId: job.organizationId, projectId, kind, day: today(), count: 1 });
      exchanging.add(job.projectId);
    },
    async flush() {
      await writeUses();
      await writeCounts();
    },
  };
}

function takeAll<Item>(noted: Iterable<Item> & { clear: () => void }): Item[] {
  const items = [...noted];
  noted.clear();
  return items;
}

function* chunksOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += MAX_FLUSHED_AT_ONCE)
    yield items.slice(start, start + MAX_FLUSHED_AT_ONCE);
}

const addCounts = (database: AccountDatabase, counted: readonly Counted[]): Promise<void> =>
  inTransaction(database, (transaction) => addUsage(transaction, counted), "read committed");
