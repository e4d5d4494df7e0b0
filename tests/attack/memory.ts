/** Memory and descriptors of a process, as Linux reports them; undefined elsewhere, where they are not measured. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

export interface ProcessMemory {
  parent: number;
  /** Bytes. */
  resident: number;
  /** The most since the start or the last `resetPeak`, in bytes. */
  peak: number;
}

export function memoryOf(pid: number): ProcessMemory | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { parent: field("PPid"), resident: field("VmRSS") * 1024, peak: field("VmHWM") * 1024 };
}

/** From here on `peak` only covers what follows. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Otherwise the peak is that since the start, which only makes the bound stricter.
  }
}

export function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
