/** For tests of what is kept in memory. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** In a later turn of the event loop: until its end, a turn keeps what a `WeakRef` was made of. */
export async function collectGarbage(): Promise<void> {
  await nextTurn();
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
}
