/**
 * Work that only one server of a cluster must do: the server that takes the lease does it.
 *
 *   server A   take ─► true    works, renews by taking again ──► release
 *   server B   take ─► false   retries later, and gets it when A has released it or died
 */
import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";
import { columnTypes } from "./columns.ts";
import { outsideRequests } from "../log/request-context.ts";
import { runUrgently } from "./urgent.ts";

const HOLDER_BYTES = 8;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Per lease period, so that one failed renewal does not lose the lease. */
const RENEWALS = 3;

export interface LeaseTables {
  leases: { name: string; holder: string; expires_at: number };
}

export const leaseMigrations: readonly Migration[] = [
  {
    name: "leases-1",
    release: 1,
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("leases")
        .addColumn("name", text, (column) => column.primaryKey())
        .addColumn("holder", text, (column) => column.notNull())
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];

export interface LeaseOptions {
  /** Name of the work: `accounts.sweep`. */
  name: string;
  /** Unique to this process. */
  holder: string;
  /** Milliseconds since 1970. */
  now: number;
  /** If not renewed for this long, others may take it. Longer than the work takes. */
  lastsMs: number;
  /** For repeated work: a lease that would last for days was set by a wrong clock, and may be taken. */
  isRepeated?: boolean;
}

/** @returns whether the holder now has the lease, until `now + lastsMs` */
export async function takeLease(
  db: Kysely<LeaseTables>,
  { name, holder, now, lastsMs, isRepeated = false }: LeaseOptions,
): Promise<boolean> {
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: now + lastsMs })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: now + lastsMs })
        .where((row) =>
          row.or([
            row("leases.holder", "=", holder),
            row("leases.expires_at", "<=", now),
            ...(isRepeated ? [row("leases.expires_at", ">", now + lastsMs + DAY_MS)] : []),
          ]),
        ),
    )
    .returning(sql<number>`1`.as("one"))
    .execute();
  return taken.length > 0;
}

/** Lets others take it immediately. No effect on a lease that another holds. */
export async function releaseLease(
  db: Kysely<LeaseTables>,
  { name, holder }: Pick<LeaseOptions, "name" | "holder">,
): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

export interface LeaseholderOptions {
  /** Name of the work: `cache.evict`. */
  name: string;
  /** After this long without a renewal, another server may take over. */
  lastsMs: number;
  clock: () => number;
}

/**
 * Does the work unless another server is doing it.
 * @param run its signal is also aborted when another server has the lease; it then ends between two steps
 * @returns the result of `run`; null when another server has the lease: then nothing was done
 */
export type RunAlone = <Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result | null>;

/**
 * For work that may outlast the lease: it is renewed meanwhile, and released at the end. All such work removes unneeded data, so
 * it continues when the disk is full.
 */
export function createLeaseholder(
  db: Kysely<LeaseTables>,
  { name, lastsMs, clock }: LeaseholderOptions,
): RunAlone {
  const holder = randomBytes(HOLDER_BYTES).toString("hex");
  const take = () => takeLease(db, { name, holder, lastsMs, now: clock(), isRepeated: true });
  /** Two jobs of this process may run, or be about to run, at the same time: the last one releases the lease. */
  let working = 0;
  let released: Promise<unknown> = Promise.resolve();
  const end = async () => {
    working -= 1;
    if (working > 0) return;
    const release = releaseLease(db, { name, holder });
    released = release.catch(() => {});
    await release;
  };
  return (run, signal) =>
    runUrgently(async () => {
      working += 1;
      try {
        // A pending release would otherwise remove the lease that is taken here.
        await released;
        if (!(await take())) return null;
        return await runWith(take, run, { name, lastsMs, signal });
      } finally {
        await end();
      }
    });
}

/** Renews the lease while it runs. */
async function runWith<Result>(
  take: () => Promise<boolean>,
  run: (signal: AbortSignal) => Promise<Result>,
  { name, lastsMs, signal }: { name: string; lastsMs: number; signal: AbortSignal },
): Promise<Result> {
  const lost = new AbortController();
  let renewed: Promise<unknown> = Promise.resolve();
  const renew = () => {
    renewed = take().then(
      (isMine) => isMine || lost.abort(new Error(`Another server does ${name} now.`)),
      (error: unknown) => lost.abort(error),
    );
  };
  const timer = setInterval(() => outsideRequests(renew), lastsMs / RENEWALS).unref();
  try {
    return await run(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    // A pending renewal would take the lease again after its release.
    await renewed;
  }
}
