const DAY_MS = 86_400_000;

/** The SDK's time, unless it is more than a day away from the server's: then the server's. */
export function trustedTime(sent: unknown, now: number): number {
  const time = typeof sent === "number" ? sent : typeof sent === "string" ? Date.parse(sent) : Number.NaN;
  return Number.isFinite(time) && Math.abs(time - now) <= DAY_MS ? Math.round(time) : now;
}
