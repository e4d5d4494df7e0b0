/**
 * Writes that come at the same time share a transaction, and with it the wait for the disk.
 *
 *   write A ─► begins a transaction ─► durable
 *   write B ─┐
 *   write C ─┴─► wait, then share the next one
 *
 * If one of them fails, all of its transaction is undone and each is run again by itself.
 */
import type { Transaction } from "kysely";
import { type Database, inTransaction } from "./database.ts";

/** Writes of one transaction at most. */
const MAX_TOGETHER = 256;

type Run<Tables, Result> = (transaction: Transaction<Tables>) => Promise<Result>;

export interface WriteBatch<Tables> {
  /** Resolves when it is durable. `run` may run more than once. */
  run<Result>(run: Run<Tables, Result>): Promise<Result>;
}

interface Waiting<Tables> {
  run: Run<Tables, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

export function createWriteBatch<Tables>(
  database: Pick<Database<Tables>, "db" | "kind">,
): WriteBatch<Tables> {
  const waiting: Waiting<Tables>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const together = waiting.splice(0, MAX_TOGETHER);
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      await writeTogether(database, together);
    }
    isWriting = false;
  }

  return {
    run<Result>(run: Run<Tables, Result>) {
      return new Promise<Result>((resolve, reject) => {
        // What `run` has returned.
        waiting.push({ run, resolve: (result) => resolve(result as Result), reject });
        if (!isWriting) void writeAll();
      });
    },
  };
}

async function writeTogether<Tables>(
  database: Pick<Database<Tables>, "db" | "kind">,
  together: readonly Waiting<Tables>[],
): Promise<void> {
  try {
    const results = await inTransaction(database, async (transaction) => {
      const done: unknown[] = [];
      // oxlint-disable-next-line no-await-in-loop -- on one connection
      for (const { run } of together) done.push(await run(transaction));
      return done;
    });
    together.forEach(({ resolve }, index) => resolve(results[index]));
  } catch (error) {
    const [first] = together;
    if (together.length === 1 && first) return first.reject(error);
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
    for (const one of together) await writeTogether(database, [one]);
  }
}
