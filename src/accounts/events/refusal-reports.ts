/**
 * Reports refused calls to people who can act on them. Refusals are noted in memory and written after the response, a few at
 * a time; the same refusal once a minute, with its count.
 *
 *     14:30:12  project token ci: project tokens may not list members; use a user token        (first: immediately)
 *     14:31:12  project token ci: project tokens may not list members; use a user token, 14 more times
 *
 * Strangers can cause few writes: unknown tokens have one entry for each kind, and everything is limited by organization, by
 * address and in total.
 */
import { inTransaction } from "#platform/database/database.ts";
import { createJob } from "#platform/jobs/job.ts";
import type { Log } from "#platform/log/log.ts";
import type { RefusalReport, RefusalReports } from "../contract/events.ts";
import type { AccountDatabase, AccountTransaction } from "../records/schema.ts";
import { addEvents } from "./add-events.ts";
import { cutText } from "./cut-text.ts";
import { createReportQuota } from "./report-quota.ts";
import { REPORT_AGAIN_MS, REPORT_WRITE_MS, MAX_REPORTS } from "./limits.ts";

interface CountedReport {
  refusal: RefusalReport;
  /** Not written yet. */
  count: number;
  /** When it was written. */
  writtenAt: number | null;
}

export interface RefusalReportsOptions {
  database: AccountDatabase;
  clock: () => number;
  log: Pick<Log, "warn">;
  /** Called after a write. */
  onWritten: () => void;
}

export function createRefusalReports({
  database,
  clock,
  log,
  onWritten,
}: RefusalReportsOptions): RefusalReports {
  const pending = new Map<string, CountedReport>();
  const counts = new Map<"told" | "dropped", number>();
  const count = (outcome: "told" | "dropped") => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const takeQuota = createReportQuota(clock);
  let flushed: Promise<void> = Promise.resolve();

  const job = createJob({
    name: "accounts.hearing",
    async run() {
      await flush();
      return pending.size > 0 ? { againMs: REPORT_WRITE_MS } : undefined;
    },
    retry: { againMs: REPORT_AGAIN_MS },
    onError: (error) => log.warn("Could not write refused requests. Retrying.", { error }),
  });

  /** Flushes run one after another: a second one would write what the first is writing. */
  function flush(): Promise<void> {
    const flushing = flushed.then(write);
    flushed = flushing.catch(() => {});
    return flushing;
  }

  async function write(): Promise<void> {
    const now = clock();
    const due: CountedReport[] = [];
    for (const [key, each] of pending) {
      const isDue = each.writtenAt === null || Math.abs(now - each.writtenAt) >= REPORT_AGAIN_MS;
      if (isDue && each.count === 0) pending.delete(key);
      else if (isDue) due.push(each);
    }
    if (due.length === 0) return;
    const written = due.map((each) => ({ each, count: each.count, isAgain: each.writtenAt !== null }));
    await inTransaction(database, (transaction) => writeRefusals(transaction, database, { written, now }));
    for (const { each, count } of written) {
      each.count -= count;
      each.writtenAt = now;
    }
    onWritten();
  }

  return {
    add(refusal) {
      const key = keyOf(refusal);
      const known = pending.get(key);
      if (known) known.count += 1;
      else if (pending.size < MAX_REPORTS && takeQuota(refusal))
        pending.set(key, { refusal, count: 1, writtenAt: null });
      else return void count("dropped");
      count("told");
      job.wake();
    },
    flush,
    counts,
    stop: () => job.stop(),
  };
}

function keyOf({ kind, token, text, organizationId = "" }: RefusalReport): string {
  return `${organizationId} ${kind} ${token?.tokenId ?? ""} ${text}`;
}

interface Written {
  written: readonly { each: CountedReport; count: number; isAgain: boolean }[];
  now: number;
}

async function writeRefusals(
  transaction: AccountTransaction,
  { kind }: Pick<AccountDatabase, "kind">,
  { written, now }: Written,
): Promise<void> {
  const rows = [];
  for (const { each, count, isAgain } of written) {
    const { refusal } = each;
    const { token } = refusal;
    const organizationId = await findOwner(transaction, refusal);
    if (organizationId === null) continue;
    rows.push({
      organization_id: organizationId,
      time: now,
      kind: refusal.kind,
      subject: token?.tokenId ?? "",
      project_id: refusal.projectId ?? token?.projectId ?? null,
      actor: token?.name ?? "",
      actor_id: token?.userId ?? token?.tokenId ?? "",
      text: cutText(refusal.text) + countText(count, isAgain),
      is_refused: 1 as const,
    });
  }
  await addEvents(kind, transaction, rows);
}

function countText(count: number, isAgain: boolean): string {
  if (isAgain) return count === 1 ? ", once more" : `, ${count} more times`;
  return count === 1 ? "" : `, ${count} times`;
}

/** A person's token acts in the organization that they joined first. */
async function findOwner(
  transaction: AccountTransaction,
  { organizationId, token }: RefusalReport,
): Promise<string | null> {
  const known = organizationId ?? token?.organizationId;
  if (known) return known;
  if (token?.userId) {
    const member = await transaction
      .selectFrom("members")
      .select("organization_id")
      .where("user_id", "=", token.userId)
      .orderBy("created_at")
      .orderBy("organization_id")
      .limit(1)
      .executeTakeFirst();
    return member?.organization_id ?? null;
  }
  const first = await transaction
    .selectFrom("organizations")
    .select("id")
    .where("is_first", "=", 1)
    .executeTakeFirst();
  return first?.id ?? null;
}
