/**
 * Work that must happen once in a cluster: whoever takes the lease does it.
 *
 *   server A   take ─► true    works, renews by taking again ──► release
 *   server B   take ─► false   asks again later, and gets it when A has released it or died
 */
import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";
import { columnTypes } from "./columns.ts";
import { outsideRequests } from "../log/request-context.ts";
import { runUrgently } from "./urgent.ts";

const HOLDER_BYTES = 8;
const DAY_MS = 24 * 60 * 60 * 1000;
/** While it lasts: one that fails does not lose it. */
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
  /** The work: `accounts.sweep`. */
  name: string;
  /** This process, unlike any other. */
  holder: string;
  /** Milliseconds since 1970. */
  now: number;
  /** After this long without being taken again, another may take it. Longer than the work takes. */
  lastsMs: number;
  /** Of work that is done again and again: one that would last for days is of a clock that was wrong, and may be taken. */
  isRepeated?: boolean;
}

/** @returns whether the holder has it now, which it does until `now + lastsMs` */
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

/** Lets others take it at once. Does nothing to a lease that another holds. */
export async function releaseLease(
  db: Kysely<LeaseTables>,
  { name, holder }: Pick<LeaseOptions, "name" | "holder">,
): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

export interface LeaseholderOptions {
  /** The work: `cache.evict`. */
  name: string;
  /** After this long without a sign of life, another server may do it. */
  lastsMs: number;
  clock: () => number;
}

/**
 * Does work unless another server does it now.
 * @param run its signal is aborted when another has the lease, too; then it ends between two steps
 * @returns what `run` has returned; null when another has the lease: then nothing was done
 */
export type RunAlone = <Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result | null>;

/**
 * For work that may take longer than the lease lasts: it is taken again meanwhile, and let go of at the end. All such work
 * removes what nobody needs, so it goes on when the disk is full.
 */
export function createLeaseholder(
  db: Kysely<LeaseTables>,
  { name, lastsMs, clock }: LeaseholderOptions,
): RunAlone {
  const holder = randomBytes(HOLDER_BYTES).toString("hex");
  const take = () => takeLease(db, { name, holder, lastsMs, now: clock(), isRepeated: true });
  /** Two jobs of this process may work at once, or be about to: the last one lets go. */
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
        // What is being let go of would be let go of after it was taken again.
        await released;
        if (!(await take())) return null;
        return await runWith(take, run, { name, lastsMs, signal });
      } finally {
        await end();
      }
    });
}

/** Takes the lease again and again while it runs. */
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
    // One that is under way would take again what is let go of.
    await renewed;
  }
}
