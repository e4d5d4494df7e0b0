import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { SQLITE_BUSY, sqliteCode } from "../../src/platform/database/sqlite-code.ts";

const pauseMilliseconds = 200;

/**
 * Lets one process at a time change a build; others wait for it. The lock is SQLite's on an empty file: the system gives
 * it back when its process ends, however that happens, so that none is ever left behind.
 * @param onWait called once when another process has it.
 * @returns what gives it back.
 */
export async function lockBuild(folder: string, onWait: () => void): Promise<() => void> {
  const file = new DatabaseSync(join(folder, "lock"), { timeout: 0 });
  for (let isFirst = true; ; isFirst = false) {
    try {
      file.exec("BEGIN EXCLUSIVE");
      return () => file.close();
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY) throw error;
      if (isFirst) onWait();
      await sleep(pauseMilliseconds);
    }
  }
}
