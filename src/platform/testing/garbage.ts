/** For tests of memory use. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Waits for a later turn of the event loop: a turn keeps the target of a `WeakRef` until it ends. */
export async function collectGarbage(): Promise<void> {
  await nextTurn();
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
}
