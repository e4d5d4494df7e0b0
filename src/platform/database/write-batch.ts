/**
 * Writes that come at the same time share a transaction, and with it its statements and the wait for the disk.
 *
 *   write A ─┐
 *   write B ─┴─► come in one turn of the event loop, and share a transaction ─► durable
 *   write C ─┐
 *   write D ─┴─► wait, then share the next one
 *
 * If one of them fails, all of its transaction is undone and each is written again by itself.
 */
import type { Transaction } from "kysely";
import { outsideRequests } from "../log/request-context.ts";
import { type Database, inTransaction } from "./database.ts";

/** Writes of one transaction at most: with SQLite it has the event loop to itself, for about 2 ms. */
const MAX_TOGETHER = 16;

/** Writes all of them, in the order in which they came. May run more than once. */
type WriteAll<Tables, Item> = (transaction: Transaction<Tables>, items: readonly Item[]) => Promise<void>;

/** Resolves when it is durable. */
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
      // Others come in this turn; and SQLite, which answers at once, lets nobody else have one.
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
