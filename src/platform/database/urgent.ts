/**
 * Writes that must go through on a full disk: what revokes, ends and deletes. They may use the reserve of the disk where
 * the records are; all others are refused.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Reserve } from "../files/reserve.ts";
import { isDiskFull } from "./disk-full.ts";

const context = new AsyncLocalStorage<boolean>();

/** Everything that `run` writes, now and after it waits, is urgent. */
export const runUrgently = <Result>(run: () => Result): Result => context.run(true, run);

const mayUse = (reserve: Reserve | null | undefined, error: unknown): reserve is Reserve =>
  reserve != null && context.getStore() === true && isDiskFull(error);

/** @param write may run more than once. @throws what it throws, at last */
export async function passFullDisk<Result>(
  reserve: Reserve | null | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!mayUse(reserve, error) || !reserve.release()) throw error;
    const again = passFullDisk(reserve, write);
    return await again.finally(reserve.takeBack);
  }
}

/** The same for what does not wait. */
export function passFullDiskNow<Result>(reserve: Reserve | null | undefined, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (!mayUse(reserve, error) || !reserve.release()) throw error;
    try {
      return passFullDiskNow(reserve, write);
    } finally {
      reserve.takeBack();
    }
  }
}
