/** Uses of tokens and browsers and counts of calls, written together every few seconds. */
import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import { DAY_MS, LAST_USE_EXACT_MS, MAX_FLUSHED_AT_ONCE } from "./limits.ts";
import type { AccountDatabase } from "./schema.ts";

export interface UseBuffer {
  /** @param ids of a token or a browser, and of its person */
  touch: (ids: { tokenId?: string | null; signInId?: string | null; userId?: string | null }) => void;
  countCall: (organizationId: string) => void;
  /** Writes what was noted until now; what could not be counted is kept. */
  flush: () => Promise<void>;
}

const DAY_SEPARATOR = " ";

export function createUseBuffer(database: AccountDatabase, clock: () => number): UseBuffer {
  const tokens = new Set<string>();
  const signIns = new Set<string>();
  const users = new Set<string>();
  /** `org_… 20000` → calls of that day */
  const calls = new Map<string, number>();
  const add = (key: string, count: number) => calls.set(key, (calls.get(key) ?? 0) + count);

  async function writeUses(): Promise<void> {
    const now = clock();
    const before = now - LAST_USE_EXACT_MS;
    const { db } = database;
    /* oxlint-disable no-await-in-loop -- one after the other, so that requests get their turn between them */
    for (const ids of takeChunks(tokens))
      await db
        .updateTable("tokens")
        .set({ last_used_at: now })
        .where("id", "in", ids)
        .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<=", before)]))
        .execute();
    for (const ids of takeChunks(signIns))
      await db.updateTable("sign_ins").set({ last_used_at: now }).where("id", "in", ids).execute();
    for (const ids of takeChunks(users))
      await db.updateTable("users").set({ last_seen_at: now }).where("id", "in", ids).execute();
    /* oxlint-enable no-await-in-loop */
  }

  async function writeCounts(): Promise<void> {
    if (calls.size === 0) return;
    const counted = [...calls];
    calls.clear();
    try {
      await writeCalls(database, counted);
    } catch (error) {
      for (const [key, count] of counted) add(key, count);
      throw error;
    }
  }

  return {
    touch({ tokenId, signInId, userId }) {
      if (tokenId) tokens.add(tokenId);
      if (signInId) signIns.add(signInId);
      if (userId) users.add(userId);
    },
    countCall: (organizationId) =>
      void add(`${organizationId}${DAY_SEPARATOR}${Math.floor(clock() / DAY_MS)}`, 1),
    async flush() {
      await writeUses();
      await writeCounts();
    },
  };
}

function* takeChunks(set: Set<string>): Generator<string[]> {
  const ids = [...set];
  set.clear();
  for (let start = 0; start < ids.length; start += MAX_FLUSHED_AT_ONCE)
    yield ids.slice(start, start + MAX_FLUSHED_AT_ONCE);
}

async function writeCalls(
  database: AccountDatabase,
  counted: readonly (readonly [key: string, count: number])[],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const [key, count] of counted) {
      const [organizationId = "", day] = key.split(DAY_SEPARATOR);
      // An organization that was deleted meanwhile has nothing to count.
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await transaction
        .insertInto("usage_counts")
        .columns(["organization_id", "day", "kind", "count"])
        .expression((query) =>
          query
            .selectFrom("organizations")
            .select([
              "id",
              sql<number>`${Number(day)}`.as("day"),
              sql<string>`'api_calls'`.as("kind"),
              sql<number>`${count}`.as("count"),
            ])
            .where("id", "=", organizationId),
        )
        .onConflict((conflict) =>
          conflict.columns(["organization_id", "day", "kind"]).doUpdateSet((row) => ({
            count: sql<number>`${row.ref("usage_counts.count")} + excluded.count`,
          })),
        )
        .execute();
    }
  });
}
