/** Days in UTC, numbered from 1970. Counts without a reader have no finer time. */
export const DAY_MS = 86_400_000;

export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

export const startOfDay = (day: number): number => day * DAY_MS;
