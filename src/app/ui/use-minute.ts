import { useSyncExternalStore } from "react";
import { readClock, watchClock } from "./clock.ts";

const MINUTE_MS = 60_000;
const readMinute = () => Math.floor(readClock() / MINUTE_MS) * MINUTE_MS;

/** The beginning of this minute, in milliseconds since 1970: what counts days and ages goes on with the clock. */
export const useMinute = (): number => useSyncExternalStore(watchClock, readMinute);
