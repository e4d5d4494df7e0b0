/** Months and days in UTC, like the usage counts. Pure. */
import { nameMonth as nameOfMonth, shortenMonth as shortName } from "../../dates.ts";

const DAY_MS = 86_400_000;

/** `2026-11` */
export type Month = string;

/** A span of whole UTC days; `to` is its last moment. */
export interface Span {
  from: Date;
  to: Date;
}

export const monthOf = (at: number): Month => new Date(at).toISOString().slice(0, 7);
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** @returns null when the text is not a month, or one that has not begun */
export function readMonth(text: string | null, now: number): Month | null {
  if (text === null || !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return null;
  return text <= monthOf(now) && text >= "2000-01" ? text : null;
}

export function addMonths(month: Month, count: number): Month {
  const [year = 0, index = 1] = month.split("-").map(Number);
  return monthOf(Date.UTC(year, index - 1 + count, 1));
}

/** From its first day; the current month ends now. */
export function spanOfMonth(month: Month, now: number): Span {
  const [year = 0, index = 1] = month.split("-").map(Number);
  const end = Date.UTC(year, index, 1) - 1;
  return { from: new Date(Date.UTC(year, index - 1, 1)), to: new Date(Math.min(end, now)) };
}

/** This month and the eleven before. */
export function spanOfYear(now: number): Span {
  return { from: spanOfMonth(addMonths(monthOf(now), -11), now).from, to: new Date(now) };
}

/** The last days, including today. */
export function spanOfDays(count: number, now: number): Span {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return { from: new Date(today - (count - 1) * DAY_MS), to: new Date(now) };
}

/** Every day of a span, `2026-11-20`. */
export function daysOf({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let at = from.getTime(); at <= to.getTime(); at += DAY_MS) days.push(dayOf(at));
  return days;
}

/** Every month of a span. */
export function monthsOf({ from, to }: Span): Month[] {
  const months: Month[] = [];
  const last = monthOf(to.getTime());
  for (let month = monthOf(from.getTime()); month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

const monthAndYear = (at: Date) => `${nameOfMonth(at.getUTCMonth())} ${at.getUTCFullYear()}`;

const startOf = (month: Month) => new Date(`${month}-01T00:00:00Z`);

/** `November`; `November 2025` when it is not in this year. */
export function nameMonth(month: Month, now: number): string {
  const isThisYear = month.slice(0, 4) === monthOf(now).slice(0, 4);
  const start = startOf(month);
  return isThisYear ? nameOfMonth(start.getUTCMonth()) : monthAndYear(start);
}

/** `Nov` */
export const shortenMonth = (month: Month) => shortName(startOf(month).getUTCMonth());

/** `1 to 20 November`, `1 November`, `December 2025 to November 2026`. */
export function describeSpan({ from, to }: Span, now: number): string {
  const first = monthOf(from.getTime());
  const last = monthOf(to.getTime());
  if (first !== last) return `${monthAndYear(from)} to ${monthAndYear(to)}`;
  const end = to.getUTCDate();
  return `${end === 1 ? "1" : `1 to ${end}`} ${nameMonth(first, now)}`;
}
