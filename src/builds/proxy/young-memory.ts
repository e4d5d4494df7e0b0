/**
 * Frees the memory of forwarded bytes.
 *
 * They are outside of V8's heap, in blocks of 16 KB that small new objects hold. V8 scans its new objects only when those alone
 * have grown to megabytes, and by then their blocks exceed what a heap may grow by: so it scans the whole heap instead, about 20
 * times for a context of 400 MB. That took nearly half of the port's CPU, and more on a server with more in memory
 * (bench/builds.md). A scan of the new objects after every few megabytes takes less than a millisecond.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { COLLECT_BYTES } from "./limits.ts";

/** For all connections: their blocks are in one heap. */
let passed = 0;
let collect: (() => void) | null = null;

/** Call this for all forwarded bytes. */
export function notePassed(bytes: number): void {
  passed += bytes;
  if (passed < COLLECT_BYTES) return;
  passed = 0;
  collect ??= findCollector();
  collect();
}

/** Node.js only exposes it with a flag; an operator need not set that. */
function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof gc === "function" ? () => void gc({ type: "minor" }) : () => undefined;
}
