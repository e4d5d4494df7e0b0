/** Removes records that ended long ago: once in a cluster, a little at a time. */
import { releaseLease, takeLease } from "#platform/database/lease.ts";
import { createSweepClock } from "#platform/database/sweep-clock.ts";
import { runUrgently } from "#platform/database/urgent.ts";
import { createJob } from "#platform/jobs/job.ts";
import type { Accounts } from "./contract/accounts.ts";
import { deleteSurplusEvents } from "./events/surplus-events.ts";
import { EVENTS_KEPT_MS } from "./events/limits.ts";
import { randomKey, timedIdAt } from "./contract/ids.ts";
import {
  AUDIT_KEPT_MS,
  DAY_MS,
  ENDED_KEPT_MS,
  ENDED_SOON_KEPT_MS,
  EXCHANGES_KEPT_MS,
  FIRST_SWEEP_MS,
  MAX_SWEPT_AT_ONCE,
  SIGN_IN_LIFETIME_MS,
  SWEEP_EVERY_MS,
  SWEEP_LEASE_MS,
  USAGE_KEPT_DAYS,
  USER_TOKEN_IDLE_MS,
} from "./contract/limits.ts";

const LEASE = "accounts.sweep";
const HOLDER_LENGTH = 16;

/** Sweeps every hour, on one of the servers that share the database. @returns a function that stops it */
export function startAccountJobs(accounts: Accounts): () => Promise<void> {
  const holder = randomKey(HOLDER_LENGTH, accounts.randomBytes);
  const again = { againMs: SWEEP_EVERY_MS };
  const sweepClock = createSweepClock(accounts.db, { name: LEASE, clock: accounts.clock, log: accounts.log });
  const job = createJob({
    name: LEASE,
    first: { againMs: FIRST_SWEEP_MS },
    retry: again,
    jitter: 0.1,
    timeoutMs: SWEEP_LEASE_MS,
    async run(signal) {
      // Even on a full disk.
      await runUrgently(() =>
        sweepAlone(accounts, holder, async () => sweepAccounts(accounts, signal, await sweepClock())),
      );
      return again;
    },
    onError: (error) => accounts.log.warn("Could not remove ended tokens and links. Retrying.", { error }),
  });
  return () => job.stop();
}

/**
 * Runs it unless another server is running it.
 * @param holder this process, unlike any other
 */
export async function sweepAlone(
  accounts: Accounts,
  holder: string,
  sweep: () => Promise<void>,
): Promise<void> {
  const lease = { name: LEASE, holder, now: accounts.clock(), lastsMs: SWEEP_LEASE_MS, isRepeated: true };
  if (!(await takeLease(accounts.db, lease))) return;
  try {
    await sweep();
  } finally {
    await releaseLease(accounts.db, lease);
  }
}

/** @param signal stops it between two statements */
export async function sweepAccounts(
  accounts: Accounts,
  signal: AbortSignal,
  clock = accounts.clock,
): Promise<void> {
  const now = clock();
  for (const sweep of listSweeps(accounts, now))
    for (let count = MAX_SWEPT_AT_ONCE; count === MAX_SWEPT_AT_ONCE && !signal.aborted;)
      count = Number((await sweep()).numDeletedRows);
}

function listSweeps({ db }: Accounts, now: number): (() => Promise<{ numDeletedRows: bigint }>)[] {
  const ended = now - ENDED_KEPT_MS;
  const some = MAX_SWEPT_AT_ONCE;
  const tokens = db
    .selectFrom("tokens")
    .select("id")
    .where((row) =>
      row.or([
        row("expires_at", "<", ended),
        row("revoked_at", "<", ended),
        row.and([row("type", "=", "job"), row("expires_at", "<", now - ENDED_SOON_KEPT_MS)]),
        row.and([
          row("type", "=", "user"),
          row("created_by", "is not", null),
          row(row.fn.coalesce("last_used_at", "created_at"), "<", ended - USER_TOKEN_IDLE_MS),
        ]),
      ]),
    );
  const signIns = db
    .selectFrom("sign_ins")
    .select("id")
    .where((row) => row.or([row("expires_at", "<", now), row("created_at", "<", now - SIGN_IN_LIFETIME_MS)]));
  const invitations = db.selectFrom("invitations").select("id").where("expires_at", "<", ended);
  const links = db
    .selectFrom("sign_in_links")
    .select("key_hash")
    .where("expires_at", "<", now - ENDED_SOON_KEPT_MS);
  const codes = db
    .selectFrom("device_codes")
    .select("code_hash")
    .where("expires_at", "<", now - ENDED_SOON_KEPT_MS);
  const events = db
    .selectFrom("audit_events")
    .select("id")
    .where("id", "<", timedIdAt(now - AUDIT_KEPT_MS));
  const oldEvents = db
    .selectFrom("events")
    .select("id")
    .where("time", "<", now - EVENTS_KEPT_MS);
  const exchanges = db
    .selectFrom("exchanges")
    .select("id")
    .where("id", "<", timedIdAt(now - EXCHANGES_KEPT_MS));
  const lastDay = Math.floor(now / DAY_MS) - USAGE_KEPT_DAYS;
  return [
    () => db.deleteFrom("tokens").where("id", "in", tokens.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("sign_ins").where("id", "in", signIns.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("invitations").where("id", "in", invitations.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("sign_in_links").where("key_hash", "in", links.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("device_codes").where("code_hash", "in", codes.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("audit_events").where("id", "in", events.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("events").where("id", "in", oldEvents.limit(some)).executeTakeFirstOrThrow(),
    () => deleteSurplusEvents(db),
    () => db.deleteFrom("exchanges").where("id", "in", exchanges.limit(some)).executeTakeFirstOrThrow(),
    () => db.deleteFrom("usage_counts").where("day", "<", lastDay).executeTakeFirstOrThrow(),
  ];
}
