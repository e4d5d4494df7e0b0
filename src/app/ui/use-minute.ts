import { useSyncExternalStore } from "react";
import { readClock, watchClock } from "./clock.ts";

const MINUTE_MS = 60_000;
const readMinute = () => Math.floor(readClock() / MINUTE_MS) * MINUTE_MS;

/** The start of this minute, in milliseconds since 1970: counts of days and ages move with the clock. */
export const useMinute = (): number => useSyncExternalStore(watchClock, readMinute);
