/**
 * Frees the memory of bytes that have been passed on.
 *
 * They lie outside of V8's heap, in blocks of 16 KB that small new objects hold. V8 looks through its new objects when those alone
 * have grown to megabytes, and by then their blocks are more than it lets a heap grow by: it goes through the whole heap instead,
 * about 20 times for a context of 400 MB. That took nearly half of the port's CPU, and more of a server that has more in memory
 * (bench/builds.md). To look through the new objects each time some megabytes have passed takes less than a millisecond.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { COLLECT_BYTES } from "./limits.ts";

/** Of all connections: their blocks are in one heap. */
let passed = 0;
let collect: (() => void) | null = null;

/** To be told of all bytes that are passed on. */
export function notePassed(bytes: number): void {
  passed += bytes;
  if (passed < COLLECT_BYTES) return;
  passed = 0;
  collect ??= findCollector();
  collect();
}

/** Node.js gives it to processes that are started with a flag; who starts this server need not know. */
function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof gc === "function" ? () => void gc({ type: "minor" }) : () => undefined;
}
