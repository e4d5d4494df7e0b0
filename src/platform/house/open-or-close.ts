/**
 * Opens parts step by step and closes them in reverse order: at the end, or immediately when a later step fails.
 *
 *   data folder ─► database ─► rooms ─► … fails ─► … rooms ─► database ─► data folder     closed within CLOSE_MS
 */
/** Milliseconds for closing everything. */
export const CLOSE_MS = 5_000;

export interface Opened {
  /** Registers an open part. */
  add: (close: () => unknown) => void;
  /** Closes all, the last one first, even after one fails. @throws the first error */
  close: () => Promise<void>;
}

/** @throws the error of `open`, after all open parts are closed, or cannot be closed in time */
export async function openOrClose<Parts>(open: (opened: Opened) => Promise<Parts>): Promise<Parts> {
  const closes: (() => unknown)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (let next = closes.pop(); next; next = closes.pop())
      try {
        await next();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return await open({ add: (each) => void closes.push(each), close });
  } catch (error) {
    // Only the original error is thrown, not errors of closing.
    await isInTime(close(), CLOSE_MS);
    throw error;
  }
}

/** Whether it was done within `milliseconds`; work that fails counts as not done. */
export async function isInTime(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, late]);
  clearTimeout(timer);
  return isDone;
}
