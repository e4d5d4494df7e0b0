/** Daily counts, added up; the API writes 64-bit numbers as strings. */
import type { CacheCount, CacheNamespace } from "#api/gen/json-types.ts";

export interface Use {
  hits: number;
  misses: number;
  readBytes: number;
  writtenBytes: number;
}

const NONE: Use = { hits: 0, misses: 0, readBytes: 0, writtenBytes: 0 };

const sumOf = (count: CacheCount): Use => ({
  hits: Number(count.hits),
  misses: Number(count.misses),
  readBytes: Number(count.read_bytes),
  writtenBytes: Number(count.written_bytes),
});

const add = (one: Use, other: Use): Use => ({
  hits: one.hits + other.hits,
  misses: one.misses + other.misses,
  readBytes: one.readBytes + other.readBytes,
  writtenBytes: one.writtenBytes + other.writtenBytes,
});

/** For the last days, including today (UTC). */
export const sumDays = (counts: readonly CacheCount[], days: number): Use =>
  counts.slice(-days).map(sumOf).reduce(add, NONE);

export interface UseOfDay extends Use {
  /** When the day began; milliseconds since 1970. */
  startAt: number;
}

/** All tools together, by day. */
export function sumTools(namespaces: readonly Pick<CacheNamespace, "counts">[]): UseOfDay[] {
  const days = new Map<number, Use>();
  for (const { counts } of namespaces)
    for (const count of counts) {
      const startAt = Date.parse(count.start_at ?? "");
      days.set(startAt, add(days.get(startAt) ?? NONE, sumOf(count)));
    }
  return [...days].toSorted(([one], [other]) => one - other).map(([startAt, use]) => ({ startAt, ...use }));
}

/**
 * Requests between two answers of the server. Old days leave the list at its start, new ones are added at its end.
 * @returns null: none
 */
export function newBetween(before: readonly CacheCount[], after: readonly CacheCount[]): Use | null {
  const known = new Map(before.map((count) => [count.start_at, sumOf(count)]));
  const news = after.map((count) => {
    const { hits, misses, readBytes, writtenBytes } = known.get(count.start_at) ?? NONE;
    const now = sumOf(count);
    return {
      hits: Math.max(0, now.hits - hits),
      misses: Math.max(0, now.misses - misses),
      readBytes: Math.max(0, now.readBytes - readBytes),
      writtenBytes: Math.max(0, now.writtenBytes - writtenBytes),
    };
  });
  const sum = news.reduce(add, NONE);
  return sum.hits + sum.misses + sum.readBytes + sum.writtenBytes > 0 ? sum : null;
}

/** The unit that makes an axis round, and its letter. */
export function bytesAxis(highest: number): { unit: number; format: (bytes: number) => string } {
  const step = highest < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(highest) / 3));
  const unit = 1_000 ** step;
  const letter = ["B", "K", "M", "G", "T"][step] ?? "";
  return { unit, format: (bytes) => `${Math.round((bytes / unit) * 10) / 10}${letter}` };
}
