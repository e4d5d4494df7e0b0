/** How many files and connections the system lets this process open, if it reports that (Linux). */
import { readdirSync, readFileSync } from "node:fs";

/** @returns the current limit, `Infinity` for none, null if it cannot be read */
export function openFileLimit(file = "/proc/self/limits"): number | null {
  const limit = readOrNull(() => /^Max open files +(\d+|unlimited)/m.exec(readFileSync(file, "utf8"))?.[1]);
  if (!limit) return null;
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}

/** @returns how many are open now, null if it cannot be read */
export function openFileCount(folder = "/proc/self/fd"): number | null {
  return readOrNull(() => readdirSync(folder).length);
}

function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    // Another system, or /proc is not mounted.
    return null;
  }
}
