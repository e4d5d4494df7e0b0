/** How figures, times and readers' words are written. All pure; the language is the page's own, English. */

const wholeNumber = new Intl.NumberFormat("en");
const oneDecimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const clockSeconds = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export const formatCount = (value: number) => wholeNumber.format(value);
export const formatDateTime = (at: number) => dateTime.format(at);
export const formatClock = (at: number) => clock.format(at);
/** `14:31:56` */
export const formatClockSeconds = (at: number) => clockSeconds.format(at);
/** Days are counted in UTC. */
export const formatDay = (at: number) => day.format(at);

/** A dash when the whole is zero. */
export const formatShare = (part: number, whole: number) => (whole > 0 ? percent.format(part / whole) : "–");

/** 1.4; a dash for null. */
export const formatPosition = (position: number | null) =>
  position === null ? "–" : oneDecimal.format(position);

export interface Change {
  /** `+12 %`, `−3 %`, `no change`, `new`. */
  text: string;
  direction: "up" | "down" | "same";
}

/** Against the range before; null where both are nothing. */
export function describeChange(now: number, former: number): Change | null {
  if (former === 0) return now === 0 ? null : { text: "new", direction: "up" };
  const change = Math.round(((now - former) / former) * 100);
  if (change === 0) return { text: "no change", direction: "same" };
  const amount = change > 999 ? "more than 10 times" : `${change > 0 ? "+" : "−"}${Math.abs(change)} %`;
  return { text: amount, direction: change > 0 ? "up" : "down" };
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Decimal units, as in `site.config.ts`: 2_000_000_000 is 2 GB. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${oneDecimal.format(bytes / 1000 ** step)} ${UNITS[step]}`;
}

/** `0:07`, `12:34`, `1:02:03`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
}

/** `just now`, `5 minutes ago`, `3 days ago`. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return plural(minutes, "minute", "ago");
  if (minutes < 60 * 48) return plural(Math.floor(minutes / 60), "hour", "ago");
  return plural(Math.floor(minutes / 1440), "day", "ago");
}

export function plural(count: number, word: string, after = ""): string {
  const ending = count === 1 ? "" : /(?:ch|s|x)$/.test(word) ? "es" : "s";
  return `${formatCount(count)} ${word}${ending}${after && ` ${after}`}`;
}

// Control characters, and those that take no room or turn the direction of what follows: shown, not obeyed. Two joiners
// are letters' business: Persian, Hindi and composed emoji need them.
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * What a reader typed, fit for one line: controls become `␣`, runs of white space one space, and what is longer than
 * `length` characters (not halves of them) ends with `…`.
 */
export function cutText(text: string, length: number): string {
  // The rest of a very long text is not read at all.
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .replace(INVISIBLE, "␣")
    .trim();
  const characters = [...line];
  if (characters.length <= length && text.length <= length * 4) return line;
  return `${characters.slice(0, length - 1).join("")}…`;
}
