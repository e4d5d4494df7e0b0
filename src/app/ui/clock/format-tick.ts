import { formatTook } from "../../format.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A round time on an axis or a flag: `0s`, `0.5s`, `40s`, `2m`, `1h 30m`. */
export function formatTick(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Number((milliseconds / 1000).toFixed(3))}s`;
  const seconds = Math.round(milliseconds / 1000);
  if (milliseconds < HOUR) return join(Math.floor(seconds / 60), "m", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return join(Math.floor(minutes / 60), "h", minutes % 60, "m");
}

const join = (first: number, unit: string, second: number, smaller: string) =>
  `${first}${unit}${second > 0 ? ` ${second}${smaller}` : ""}`;

/** Usual times are medians: tenths are meaningless from ten seconds on. */
export const sayUsual = (usual: number): string =>
  usual < 10_000 ? formatTook(usual) : formatTick(Math.round(usual / 1000) * 1000);

/** "14.7 seconds", "1 minute 21 seconds", for assistive technology. */
export function sayTime(milliseconds: number): string {
  const [first = "", second = ""] = formatTook(milliseconds).split(" ");
  return [say(first), second === "days" ? "days" : say(second)].filter(Boolean).join(" ");
}

const WORDS = new Map([
  ["s", "second"],
  ["m", "minute"],
  ["h", "hour"],
]);

function say(part: string): string {
  const word = WORDS.get(part.slice(-1));
  const figure = part.slice(0, -1);
  return word ? `${figure} ${word}${figure === "1" ? "" : "s"}` : part;
}
