/**
 * Writes that arrive at the same time share a transaction, with its statements and the wait for the disk.
 *
 *   write A ─┐
 *   write B ─┴─► arrive in one turn of the event loop, and share a transaction ─► durable
 *   write C ─┐
 *   write D ─┴─► wait, then share the next transaction
 *
 * If one of them fails, the whole transaction is rolled back and each write is retried on its own.
 */
import type { Transaction } from "kysely";
import { outsideRequests } from "../log/request-context.ts";
import { type Database, inTransaction } from "./database.ts";

/** Most writes per transaction: with SQLite a transaction occupies the event loop for about 2 ms. */
const MAX_TOGETHER = 16;

/** Writes all items in order of arrival. May run more than once. */
type WriteAll<Tables, Item> = (transaction: Transaction<Tables>, items: readonly Item[]) => Promise<void>;

/** Resolves when the write is durable. */
export type WriteOne<Item> = (item: Item) => Promise<void>;

interface Waiting<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** @param write for the isolation "read committed" */
export function createWriteBatch<Tables, Item>(
  database: Pick<Database<Tables>, "db" | "kind">,
  write: WriteAll<Tables, Item>,
): WriteOne<Item> {
  const waiting: Waiting<Item>[] = [];
  let isWriting = false;

  async function writeTogether(together: readonly Waiting<Item>[]): Promise<void> {
    const items = together.map(({ item }) => item);
    try {
      await inTransaction(database, (transaction) => write(transaction, items), "read committed");
      for (const { resolve } of together) resolve();
    } catch (error) {
      const [first] = together;
      if (together.length === 1 && first) return first.reject(error);
      for (const one of together) await writeTogether([one]);
    }
  }

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Lets others of this turn join. SQLite, which is synchronous, would not yield otherwise.
      await new Promise((resolve) => setImmediate(resolve));
      await writeTogether(waiting.splice(0, MAX_TOGETHER));
    }
    isWriting = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) void outsideRequests(writeWaiting);
    });
}
