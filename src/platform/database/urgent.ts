/**
 * Writes that must succeed on a full disk: revoking, ending and deleting. They may use the reserve of the records' disk; all
 * other writes are refused.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Reserve } from "../files/reserve.ts";
import { isDiskFull } from "./disk-full.ts";

const context = new AsyncLocalStorage<boolean>();

/** All writes of `run`, now and after it awaits, are urgent. */
export const runUrgently = <Result>(run: () => Result): Result => context.run(true, run);

const mayUse = (reserve: Reserve | null | undefined, error: unknown): reserve is Reserve =>
  reserve != null && context.getStore() === true && isDiskFull(error);

/** @param write may run more than once. @throws its last error */
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

/** The same for synchronous writes. */
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
