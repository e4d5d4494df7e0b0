/**
 * Dates in English, the language of the page, written without `Intl`: the first formatter of a page makes the browser load its language
 * tables, which took 40 ms of the first paint on a slow phone. Times of day and dates are in the reader's zone, unless a name says UTC.
 */
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** `November`; the index begins at 0 */
export const nameMonth = (index: number): string => MONTHS[index] ?? "";
/** `Sep`: three letters, although British English writes "Sept". */
export const shortenMonth = (index: number): string => nameMonth(index).slice(0, 3);

/** `Friday, 20 November` */
export const nameDay = (at: Date): string =>
  `${WEEKDAYS[at.getDay()]}, ${at.getDate()} ${nameMonth(at.getMonth())}`;

/** `Fri` */
export const shortenWeekdayUtc = (at: Date): string => (WEEKDAYS[at.getUTCDay()] ?? "").slice(0, 3);

/** `20 Nov` */
export const formatDayOfYear = (at: Date): string => `${at.getDate()} ${shortenMonth(at.getMonth())}`;

/** `18 Feb 2027` */
export const formatDate = (at: Date): string => `${formatDayOfYear(at)} ${at.getFullYear()}`;

/** `14:31:56` */
export const formatTimeOfDay = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
