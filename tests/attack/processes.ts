/** Processes and their descendants, as Linux reports them. */
import { readdirSync } from "node:fs";
import { memoryOf } from "./memory.ts";

/** All below `pid`, parents first; empty where there is no /proc. */
export function descendants(pid: number): number[] {
  const below = new Map<number, number[]>();
  for (const one of processes()) {
    const parent = memoryOf(one)?.parent;
    if (parent !== undefined) below.set(parent, [...(below.get(parent) ?? []), one]);
  }
  const found: number[] = [];
  const waiting = [pid];
  while (waiting.length > 0) {
    const children = below.get(waiting.shift()!) ?? [];
    found.push(...children);
    waiting.push(...children);
  }
  return found;
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A process that has ended counts as ended, even before its exit code is read. */
export function isAlive(pid: number): boolean {
  const memory = memoryOf(pid);
  return memory !== undefined && memory.resident > 0;
}

/** Checks every 20 ms; false when `holds` does not become true within `timeoutMs`. */
export async function comesTrue(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
