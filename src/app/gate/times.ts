import { useEffect, useState } from "react";
import { formatDuration } from "../format.ts";

const clockTime = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exactTime = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const DAY_MS = 86_400_000;
const dayTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** `14:32`, with the day unless it is today. Empty for an invalid time. */
export function formatTime(at: string | undefined, now = Date.now()): string {
  const time = Date.parse(at ?? "");
  if (Number.isNaN(time)) return "";
  return Math.abs(now - time) < DAY_MS / 2 ? clockTime.format(time) : dayTime.format(time);
}

/** `14:31:20` */
export const formatExactTime = (at: string) => exactTime.format(Date.parse(at));

/** `14:41`: the time left until then; never negative. */
export const formatLeft = (until: string | number, now: number) =>
  formatDuration(Math.ceil((toMs(until) - now) / 1000) * 1000);

/** `now`, `12 seconds ago`, `3 minutes ago`. */
export function formatSince(at: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(at)) / 1000);
  if (!(seconds >= 1)) return "now";
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.floor(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

const toMs = (time: string | number) => (typeof time === "number" ? time : Date.parse(time));

/** The current time, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
