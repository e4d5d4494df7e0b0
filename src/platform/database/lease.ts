/**
 * Work that must happen once in a cluster: whoever takes the lease does it.
 *
 *   server A   take ─► true    works, renews by taking again ──► release
 *   server B   take ─► false   asks again later, and gets it when A has released it or died
 */
import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";
import { columnTypes } from "./columns.ts";

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
  /** The work: `accounts.sweep`. */
  name: string;
  /** This process, unlike any other. */
  holder: string;
  /** Milliseconds since 1970. */
  now: number;
  /** After this long without being taken again, another may take it. Longer than the work takes. */
  lastsMs: number;
}

/** @returns whether the holder has it now, which it does until `now + lastsMs` */
export async function takeLease(
  db: Kysely<LeaseTables>,
  { name, holder, now, lastsMs }: LeaseOptions,
): Promise<boolean> {
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: now + lastsMs })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: now + lastsMs })
        .where((row) => row.or([row("leases.holder", "=", holder), row("leases.expires_at", "<=", now)])),
    )
    .returning(sql<number>`1`.as("one"))
    .execute();
  return taken.length > 0;
}

/** Lets others take it at once. Does nothing to a lease that another holds. */
export async function releaseLease(
  db: Kysely<LeaseTables>,
  { name, holder }: Pick<LeaseOptions, "name" | "holder">,
): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

export interface HeldLease extends Omit<LeaseOptions, "now"> {
  clock: () => number;
  /** Passed on to the work. */
  signal: AbortSignal;
}

/**
 * Does work that may take longer than the lease lasts: it is taken again meanwhile, and let go of at the end.
 * @param run its signal is aborted when another has the lease, too; then it ends between two steps
 * @returns false when another has the lease; then nothing was done
 */
export async function withLease(
  db: Kysely<LeaseTables>,
  { clock, signal, ...lease }: HeldLease,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (!(await takeLease(db, { ...lease, now: clock() }))) return false;
  const lost = new AbortController();
  const renew = () =>
    takeLease(db, { ...lease, now: clock() }).then(
      (isMine) => isMine || lost.abort(new Error(`Another server does ${lease.name} now.`)),
      (error: unknown) => lost.abort(error),
    );
  const timer = setInterval(() => void renew(), lease.lastsMs / 3).unref();
  try {
    await run(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    await releaseLease(db, lease);
  }
  return true;
}
