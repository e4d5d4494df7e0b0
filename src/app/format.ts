/** Formats figures, times and readers' words. All pure; the language is the page's own, English. */
import { formatDate, formatDayOfYear, formatTimeOfDay } from "./dates.ts";
import { lazily } from "./lazily.ts";
import { formatNumber } from "./numbers.ts";

const formatTenths = (value: number) => formatNumber(value, { most: 1 });
const dateTime = lazily(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }));
const clock = lazily(() => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }));
const day = lazily(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
);

export const formatCount = (value: number) => formatNumber(value, { most: 3 });
export const formatDateTime = (at: number) => dateTime().format(at);
export const formatClock = (at: number) => clock().format(at);
/** `14:31:56` */
export const formatClockSeconds = (at: number) => formatTimeOfDay(new Date(at));
/** Days are counted in UTC. */
export const formatDay = (at: number) => day().format(at);

/** `96.2 %` of a measure; a dash when the whole is zero. */
export const formatShare = (part: number, whole: number) =>
  whole > 0 ? `${formatTenths((part / whole) * 100)} %` : "–";

/** `53 %` of a total. */
export const formatPart = (part: number, whole: number) =>
  whole > 0 ? `${formatCount(Math.round((part / whole) * 100))} %` : "–";

/** `18k`, `1.2M`: for axes only. */
export function formatAxis(value: number): string {
  const step = Math.abs(value) < 1000 ? 0 : Math.abs(value) < 1_000_000 ? 1 : 2;
  return `${formatTenths(value / 1000 ** step)}${["", "k", "M"][step]}`;
}

/** 1.4; a dash for null. */
export const formatPosition = (position: number | null) => (position === null ? "–" : formatTenths(position));

export interface Change {
  /** `+12 %`, `−3 %`, `no change`, `new`. */
  text: string;
  direction: "up" | "down" | "same";
}

/** Against the previous range; null where both are zero. */
export function describeChange(now: number, former: number): Change | null {
  if (former === 0) return now === 0 ? null : { text: "new", direction: "up" };
  const change = Math.round(((now - former) / former) * 100);
  if (change === 0) return { text: "no change", direction: "same" };
  const amount = change > 999 ? "more than 10 times" : `${change > 0 ? "+" : "−"}${Math.abs(change)} %`;
  return { text: amount, direction: change > 0 ? "up" : "down" };
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Decimal units: `84.2 KB`, `412 MB`, `18.4 GB`, `1.31 TB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** step;
  if (step === 4) return `${formatNumber(value, { most: 2 })} TB`;
  return `${formatTenths(step < 3 && value >= 100 ? Math.round(value) : value)} ${UNITS[step]}`;
}

/** Elapsed time: `0.1s`, `33.4s`, `1m 21s`, `2h 51m`, `61 days`. One decimal under a minute, two units above, never zero-padded. */
export function formatTook(milliseconds: number): string {
  const tenths = Math.max(0, Math.round(milliseconds / 100)) || 0;
  if (tenths < 600) return `${formatNumber(tenths / 10, { least: 1, most: 1 })}s`;
  const seconds = Math.round(tenths / 10);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
  return plural(Math.floor(minutes / 1440), "day");
}

/** A running clock, as in players: `0:07`, `12:34`, `1:02:03`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const exactTime = lazily(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" }));

/** `20 Nov 2026, 14:32:00 CET`: with this computer's zone. */
export const formatExactTime = (at: number) => exactTime().format(at);

/** How long ago: `now`, `11 min`, `3 h`, `8 days`; after 30 days, and for future times, a date. */
export function formatAge(at: number, now: number): string {
  const age = now - at;
  if (age < -MINUTE_MS || age >= 30 * DAY_MS) return writeDay(new Date(at), new Date(now));
  if (age < MINUTE_MS) return "now";
  if (age < 60 * MINUTE_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / (60 * MINUTE_MS))} h`;
  return plural(Math.floor(age / DAY_MS), "day");
}

const writeDay = (at: Date, now: Date) =>
  at.getFullYear() === now.getFullYear() ? formatDayOfYear(at) : formatDate(at);

/** `just now`, `5 minutes ago`, `3 days ago`. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return plural(minutes, "minute", "ago");
  if (minutes < 60 * 48) return plural(Math.floor(minutes / 60), "hour", "ago");
  return plural(Math.floor(minutes / 1440), "day", "ago");
}

const pluralOf = (word: string) =>
  word === "person"
    ? "people"
    : /[^aeiou]y$/.test(word)
      ? `${word.slice(0, -1)}ies`
      : `${word}${/(?:ch|s|x)$/.test(word) ? "es" : "s"}`;

export function plural(count: number, word: string, after = ""): string {
  return `${formatCount(count)} ${count === 1 ? word : pluralOf(word)}${after && ` ${after}`}`;
}

// Control characters, invisible characters and direction marks are shown, not obeyed. Two joiners belong to letters:
// Persian, Hindi and composed emoji need them.
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const showInvisible = (text: string): string => text.replace(INVISIBLE, "␣");

/**
 * A reader's text on one line: controls become `␣`, runs of white space one space, and text longer than `length`
 * characters (not halves of them) ends with `…`.
 */
export function cutText(text: string, length: number): string {
  // The rest of a very long text is never read.
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .replace(INVISIBLE, "␣")
    .trim();
  const characters = [...line];
  if (characters.length <= length && text.length <= length * 4) return line;
  return `${characters.slice(0, length - 1).join("")}…`;
}
