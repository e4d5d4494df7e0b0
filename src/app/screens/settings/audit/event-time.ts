const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** `14:31:12` of today; `19 Nov 14:31:12`; `19 Nov 2025 14:31:12`. Where the reader is. */
export function formatEventTime(time: string | undefined, now: Date): string {
  const at = new Date(time ?? "");
  if (Number.isNaN(at.getTime())) return "";
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  const date = at.getFullYear() === now.getFullYear() ? day : dayOfYear;
  return `${date.format(at)} ${clock.format(at)}`;
}
