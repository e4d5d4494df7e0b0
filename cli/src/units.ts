/** Values of flags: durations, sizes, counts. */
import { usageError } from "./errors.ts";

/** Powers of 1,000, like the server's quotas. */
const SIZES: { [unit: string]: number } = { MB: 1000 ** 2, GB: 1000 ** 3, TB: 1000 ** 4 };
const DURATIONS_MS: { [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 10 * 366 * 86_400_000;

/** `12h`, `90d` → milliseconds; undefined for `never`. */
export function parseDuration(text: string, flag: string): number | undefined {
  if (text === "never") return undefined;
  const [, count = "", unit = ""] = /^([1-9]\d{0,6})([mhd])$/.exec(text) ?? [];
  const duration = Number(count) * (DURATIONS_MS[unit] ?? 0);
  if (!(duration > 0)) throw usageError(`${flag} ${text} is not a duration: write 30m, 12h, 90d or never`);
  if (duration > LONGEST_MS) throw usageError(`${flag} ${text} is more than ten years: write never`);
  return duration;
}

/** `50GB` → bytes. */
export function parseSize(text: string, flag: string): bigint {
  const [, count = "", unit = ""] = /^([1-9]\d{0,6})(MB|GB|TB)$/i.exec(text) ?? [];
  const size = Number(count) * (SIZES[unit.toUpperCase()] ?? 0);
  if (!(size > 0)) throw usageError(`${flag} ${text} is not a size: write 500MB, 50GB or 1TB`);
  return BigInt(size);
}

export function parseCount(text: string, flag: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw usageError(`${flag} ${text} is not a number from 1 to ${most}`);
  return count;
}

/** Bytes → `1.3 GB`, in powers of 1,000. */
export function formatSize(bytes: bigint): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor((String(bytes).length - 1) / 3));
  return `${Number((Number(bytes) / 1000 ** power).toFixed(1))} ${units[power]}`;
}
