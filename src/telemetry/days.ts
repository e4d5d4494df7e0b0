/** Days of UTC, numbered from 1970: what is counted without a reader has no finer time. */
export const dayMilliseconds = 86_400_000;

export const dayOf = (at: number): number => Math.floor(at / dayMilliseconds);

export const startOfDay = (day: number): number => day * dayMilliseconds;
