/** Memory, CPU time and descriptors of a process, as Linux reports them; elsewhere they are not measured. */
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

/** With its children that have ended: fields 14 to 17 of `proc_pid_stat(5)`, in hundredths of a second. */
export function cpuSecondsOf(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return 0;
  }
  // The name, in brackets, may have spaces.
  const ticks = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  return ticks.reduce((sum, count) => sum + Number(count), 0) / 100;
}

export function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
