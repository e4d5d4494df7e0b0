import { formatDate, formatDayOfYear, formatTimeOfDay } from "../../../dates.ts";

/** `14:31:12` for today; `19 Nov 14:31:12`; `19 Nov 2025 14:31:12`. In the reader's zone. */
export function formatEventTime(time: string | undefined, now: Date): string {
  const at = new Date(time ?? "");
  if (Number.isNaN(at.getTime())) return "";
  if (at.toDateString() === now.toDateString()) return formatTimeOfDay(at);
  const write = at.getFullYear() === now.getFullYear() ? formatDayOfYear : formatDate;
  return `${write(at)} ${formatTimeOfDay(at)}`;
}
