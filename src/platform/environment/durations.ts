/** Times and sizes as people write them in the environment. */

export const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Units as for disks and networks: 1 GB is 1,000,000,000 bytes, 1 GiB is 1,073,741,824. */
const UNIT_BYTES: Readonly<Record<string, number>> = {
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** `90m`, `14d`. @returns milliseconds */
export function parseDuration(value: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(value.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** `50GB`, `1.5TiB`. @returns bytes */
export function parseSize(value: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?([MGT]i?B)$/.exec(value.trim()) ?? [];
  const bytes = UNIT_BYTES[unit];
  return count === undefined || bytes === undefined ? undefined : Math.floor(Number(count) * bytes);
}
